// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/collection.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

Failure RejectWith(Reason reason, std::string message) {
  return Fail(Error(reason, std::move(message)).set_http_code(409));
}

}  // namespace

Collection::Collection(std::string resource, std::vector<std::string> fields, Shared& shared)
    : resource_(std::move(resource)), fields_(std::move(fields)), shared_(shared) {
  // The content of a former collection of this name is unknown.
  history_.Compact(shared_.version);
}

Collection::~Collection() {
  NotifyWatchers([](Watcher& watcher) { watcher.End(); });
  for (Watcher* watcher : watchers_) watcher->collection_ = nullptr;
}

Result<ObjectPtr> Collection::Create(Draft draft) {
  const auto [place, is_new] = objects_.try_emplace(KeyOf(draft.metadata));
  if (!is_new) {
    return RejectWith(Reason::kAlreadyExists,
                      resource_ + " " + Quote(draft.metadata.name) + " already exists");
  }
  ObjectPtr object = MakeObject(std::move(draft), shared_.version + 1);
  place->second = object;
  Record({.before = nullptr, .after = object});
  return object;
}

Result<Collection::Objects::iterator> Collection::FindAt(std::string_view name_space,
                                                         std::string_view name, uint64_t expected) {
  const auto place = objects_.find(KeyOf(name_space, name));
  if (place == objects_.end()) return NotFound(name);
  if (expected != kAnyVersion && place->second->version != expected) {
    return RejectWith(Reason::kConflict,
                      "Operation cannot be fulfilled on " + resource_ + " " + Quote(name) +
                          ": the object has been modified; please apply your changes to the latest "
                          "version and try again");
  }
  return place;
}

Result<ObjectPtr> Collection::Update(Draft draft, uint64_t expected) {
  BERTH_TRY(const auto place, FindAt(draft.metadata.namespace_, draft.metadata.name, expected));
  ObjectPtr before = place->second;
  if (IsSame(*before, draft)) return before;
  ObjectPtr after = MakeObject(std::move(draft), shared_.version + 1);
  place->second = after;
  Record({.before = std::move(before), .after = after});
  return after;
}

Result<ObjectPtr> Collection::Delete(std::string_view name_space, std::string_view name,
                                     uint64_t expected) {
  BERTH_TRY(const auto place, FindAt(name_space, name, expected));
  ObjectPtr before = std::move(place->second);
  objects_.erase(place);
  ObjectPtr gone = WithVersion(*before, shared_.version + 1);
  Record({.before = std::move(before), .after = nullptr});
  return gone;
}

void Collection::Record(Change change) {
  BERTH_CHECK(notify_depth_ == 0, "a watcher's callback wrote to the store");
  change.version = ++shared_.version;
  history_.Append(std::move(change));
  // A copy: a callback may compact the history.
  const Change newest = history_.At(history_.end() - 1);
  NotifyWatchers([&](Watcher& watcher) { watcher.Notify(newest); });
  if (history_.end() - history_.first() > shared_.window) Trim();
}

void Collection::Compact(uint64_t version) {
  history_.Compact(version);
  NotifyWatchers([&](Watcher& watcher) { watcher.CutIfBehind(history_.first()); });
}

void Collection::Trim() {
  history_.Trim(shared_.window);
  NotifyWatchers([&](Watcher& watcher) { watcher.CutIfBehind(history_.first()); });
}

template <class Tell>
void Collection::NotifyWatchers(Tell tell) {
  ++notify_depth_;
  // By index and up to the current end: callbacks add and remove watchers.
  const size_t count = watchers_.size();
  for (size_t i = 0; i < count; ++i) {
    if (watchers_[i] != nullptr) tell(*watchers_[i]);
  }
  if (--notify_depth_ == 0) std::erase(watchers_, nullptr);
}

void Collection::Forget(Watcher* watcher) {
  const auto found = std::find(watchers_.begin(), watchers_.end(), watcher);
  if (found == watchers_.end()) return;
  if (notify_depth_ > 0) {
    *found = nullptr;
  } else {
    watchers_.erase(found);
  }
}

}  // namespace berth::apiserver
