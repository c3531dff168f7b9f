// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sandbox/apiserver/store/collection.h"

// Reads of a collection: objects, lists, and the start of a watch.
namespace berth::apiserver {
namespace {

constexpr char kListExpired[] = "The resourceVersion for the provided list is too old.";
constexpr char kContinueExpired[] =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

Error Expired(std::string message) {
  return Error(Reason::kExpired, std::move(message)).set_http_code(410);
}

Failure BadVersion(std::string message) {
  return Fail(Error(Reason::kBadRequest, std::move(message)).set_http_code(400));
}

std::string PrefixOf(const Selection& selection) {
  return selection.namespace_.empty() ? "" : selection.namespace_ + "/";
}

}  // namespace

Failure Collection::NotFound(std::string_view name) const {
  return Fail(Error(Reason::kNotFound, resource_ + " \"" + std::string(name) + "\" not found")
                  .set_http_code(404));
}

ObjectPtr Collection::Find(std::string_view name_space, std::string_view name) const {
  return FindByKey(KeyOf(name_space, name));
}

ObjectPtr Collection::FindByKey(std::string_view key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : found->second;
}

Result<ObjectPtr> Collection::Get(std::string_view name_space, std::string_view name) const {
  if (ObjectPtr object = Find(name_space, name)) return object;
  return NotFound(name);
}

Result<ObjectPtr> Collection::GetAt(std::string_view name_space, std::string_view name,
                                    uint64_t version) const {
  if (version < history_.floor()) {
    return Fail(Expired("The resourceVersion for the provided get is too old."));
  }
  const std::string key = KeyOf(name_space, name);
  // The oldest change after the version holds the previous state.
  for (uint64_t i = history_.After(version); i < history_.end(); ++i) {
    const Change& change = history_.At(i);
    if (change.metadata().name != name || KeyOf(change.metadata()) != key) continue;
    if (change.before) return change.before;
    return NotFound(name);
  }
  return Get(name_space, name);
}

template <class Visitor>
void Collection::Visit(const Range& range, Visitor visit) const {
  // Old states replace the current ones.
  const auto then = range.version < shared_.version
                        ? history_.Undo(range.version)
                        : std::map<std::string, ObjectPtr, std::less<>>();
  auto now = objects_.lower_bound(range.start);
  auto old = then.lower_bound(range.start);
  while (now != objects_.end() || old != then.end()) {
    const bool take_old = old != then.end() && (now == objects_.end() || old->first <= now->first);
    const auto& [key, object] = take_old ? *old : *now;
    if (!key.starts_with(range.prefix)) return;
    if (object && !visit(key, object)) return;
    if (take_old && now != objects_.end() && now->first == key) ++now;
    take_old ? void(++old) : void(++now);
  }
}

// Returns the version for a list without a token.
Result<uint64_t> Collection::VersionOf(const ListOptions& options) const {
  const auto version = ParseVersion(options.resource_version);
  if (!version) return BadVersion(version.error().With("invalid resource version").message());
  const bool exact = options.match == VersionMatch::kExact ||
                     (options.match == VersionMatch::kUnset && options.limit > 0 && *version > 0);
  if (*version > shared_.version) return Fail(TooLargeVersion(*version, shared_.version));
  return exact ? *version : shared_.version;
}

Result<Collection::Range> Collection::RangeOf(const ListOptions& options,
                                              ListFailure& failure) const {
  Range range{.prefix = PrefixOf(options.selection)};
  range.start = range.prefix;
  if (options.continue_.empty()) {
    BERTH_TRY(range.version, VersionOf(options));
    if (range.version < history_.floor()) return Fail(Expired(kListExpired));
    return range;
  }
  BERTH_TRY(const ContinueToken token, ContinueToken::Decode(options.continue_));
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return BadVersion("specifying resource version is not allowed when using continue");
  }
  range.start += token.start;
  range.version = token.version > 0 ? static_cast<uint64_t>(token.version) : shared_.version;
  if (range.version > shared_.version) {
    return Fail(TooLargeVersion(range.version, shared_.version));
  }
  if (range.version < history_.floor()) {
    failure.continue_ = ContinueToken{.version = -1, .start = token.start}.Encode();
    return Fail(Expired(kContinueExpired));
  }
  return range;
}

ListResult Collection::List(const ListOptions& options) const {
  ListFailure failure{.error = Error(Reason::kUnknown, "")};
  const auto range = RangeOf(options, failure);
  if (!range) {
    failure.error = range.error();
    failure.version_too_large = failure.error.Is(Reason::kTimeout);
    return tl::unexpected(std::move(failure));
  }
  ListPage page{.version = range->version};
  // A real server answers these lists from its watch cache, without pages.
  const bool cached = options.resource_version == "0" && options.continue_.empty() &&
                      options.match != VersionMatch::kExact;
  const auto limit = cached ? size_t{0} : static_cast<size_t>(options.limit);
  const bool counts = options.selection.IsWhole();
  std::string last;
  int64_t rest = 0;
  Visit(*range, [&](const std::string& key, const ObjectPtr& object) {
    if (limit > 0 && page.items.size() == limit) {
      ++rest;
      return counts;
    }
    if (options.selection.Matches(object->metadata)) {
      page.items.push_back(object);
      if (page.items.size() == limit) last = key;
    }
    return true;
  });
  if (rest > 0) {
    // The zero byte makes the smallest key after the last one.
    const ContinueToken token{.version = static_cast<int64_t>(range->version),
                              .start = last.substr(range->prefix.size()) + '\0'};
    page.continue_ = token.Encode();
    if (counts) page.remaining_item_count = rest;
  }
  return page;
}

Result<std::unique_ptr<Watcher>> Collection::Watch(WatchOptions options) {
  BERTH_TRY(const uint64_t version, ParseVersion(options.resource_version));
  const std::optional<bool> send_initial = options.send_initial_events;
  const bool from_state = send_initial.value_or(version == 0);
  const auto only = [](Error error) {
    std::unique_ptr<Watcher> watcher(new Watcher(nullptr, {}));
    watcher->error_ = ErrorFrame(error);
    return watcher;
  };
  if (send_initial == true && version > shared_.version) {
    return only(TooLargeVersion(version, shared_.version));
  }
  if (!from_state && version != 0 && version < history_.floor()) {
    return only(Expired("too old resource version: " + std::to_string(version) + " (" +
                        std::to_string(history_.floor()) + ")"));
  }
  std::unique_ptr<Watcher> watcher(new Watcher(this, std::move(options)));
  watchers_.push_back(watcher.get());
  watcher->from_ = from_state || version == 0 ? shared_.version : version;
  watcher->sequence_ = history_.After(watcher->from_);
  if (from_state) {
    const Selection& selection = watcher->options_.selection;
    const std::string prefix = PrefixOf(selection);
    Visit({prefix, prefix, shared_.version}, [&](const std::string&, const ObjectPtr& object) {
      if (selection.Matches(object->metadata)) watcher->initial_.push_back(object);
      return true;
    });
  }
  if (send_initial == true && watcher->options_.allow_bookmarks) {
    watcher->initial_end_ = shared_.version;
  }
  return watcher;
}

}  // namespace berth::apiserver
