// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/watcher.h"

#include <utility>

#include "sandbox/apiserver/store/collection.h"

namespace berth::apiserver {

Watcher::~Watcher() {
  if (collection_ != nullptr) collection_->Forget(this);
}

Frame Watcher::Next() {
  waiting_ = false;
  if (error_) {
    ended_ = true;
    return std::exchange(error_, nullptr);
  }
  if (ended_) return nullptr;
  if (Frame frame = NextInitial()) return frame;
  if (Frame frame = NextChange()) return frame;
  if (std::exchange(bookmark_requested_, false)) {
    return BookmarkFrame(collection_->store_version(), false, *options_.representation);
  }
  waiting_ = true;
  return nullptr;
}

Frame Watcher::NextInitial() {
  if (initial_next_ < initial_.size()) {
    // Moved out, to free the state: the collection may have dropped it long ago.
    const ObjectPtr object = std::move(initial_[initial_next_++]);
    if (initial_next_ == initial_.size()) {
      initial_ = {};
      initial_next_ = 0;
    }
    return EventFrame(EventType::kAdded, *object, *options_.representation);
  }
  if (!initial_end_) return nullptr;
  const uint64_t version = *std::exchange(initial_end_, std::nullopt);
  return BookmarkFrame(version, true, *options_.representation);
}

Frame Watcher::NextChange() {
  const History& history = collection_->history();
  while (sequence_ < history.end()) {
    const Change& change = history.At(sequence_++);
    if (const auto type = TypeOf(change)) return FrameOf(change, *type);
  }
  return nullptr;
}

std::optional<EventType> Watcher::TypeOf(const Change& change) const {
  if (change.version <= from_) return std::nullopt;
  const Selection& selection = options_.selection;
  const bool before = change.before && selection.Matches(change.before->metadata);
  const bool after = change.after && selection.Matches(change.after->metadata);
  if (!before && !after) return std::nullopt;
  if (before && after) return EventType::kModified;
  return after ? EventType::kAdded : EventType::kDeleted;
}

Frame Watcher::FrameOf(const Change& change, EventType type) const {
  return collection_->frames().Get(change.version, type, options_.representation, [&] {
    if (type != EventType::kDeleted) {
      return EventFrame(type, *change.after, *options_.representation);
    }
    return EventFrame(type, *WithVersion(*change.before, change.version), *options_.representation);
  });
}

void Watcher::Notify(const Change& change) {
  if (!waiting_) return;
  if (TypeOf(change)) return Wake();
  ++sequence_;  // a waiting watcher has seen all earlier changes
}

void Watcher::CutIfBehind(uint64_t first_sequence) {
  if (!ended_ && sequence_ < first_sequence) End();
}

void Watcher::End() {
  ended_ = true;
  Wake();
}

void Watcher::RequestBookmark() {
  if (!options_.allow_bookmarks || ended_) return;
  bookmark_requested_ = true;
  if (waiting_) Wake();
}

void Watcher::Wake() {
  waiting_ = false;
  // A copy: the callback may destroy this object.
  if (const auto ready = ready_) ready();
}

}  // namespace berth::apiserver
