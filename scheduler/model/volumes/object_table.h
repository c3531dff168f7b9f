// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/meta.h"

namespace berth::scheduler {

// StringHash allows lookups of std::string keys by string_view.
struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};

// ObjectTable holds the objects of one kind, by UID and by key: "name" or "namespace/name".
// Invariant: a key finds the newest object with that key. If there are two, the deletion of the
// older one is still to be delivered.
template <class T>
class ObjectTable {
 public:
  using Object = std::shared_ptr<const T>;

  // Returns the object with that key, or null.
  const Object& Find(std::string_view key) const {
    static const Object kNone;
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? kNone : found->second;
  }
  size_t size() const { return by_uid_.size(); }
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& [uid, object] : by_uid_) visit(object);
  }

  // Stores the newest state of an object. Returns the previous state, or null.
  Object Put(Object object) {
    Object& place = by_uid_[object->metadata.uid];
    Object before = std::exchange(place, object);
    std::string key = api::KeyOf(object->metadata);
    by_key_[std::move(key)] = std::move(object);
    return before;
  }
  // Removes an object. Returns its last state, or null for an unknown UID.
  Object Remove(const std::string& uid) {
    const auto gone = by_uid_.find(uid);
    if (gone == by_uid_.end()) return nullptr;
    Object last = std::move(gone->second);
    by_uid_.erase(gone);
    const auto named = by_key_.find(api::KeyOf(last->metadata));
    if (named != by_key_.end() && named->second == last) by_key_.erase(named);
    return last;
  }
  void Clear() {
    by_uid_.clear();
    by_key_.clear();
  }

 private:
  std::unordered_map<std::string, Object> by_uid_;
  std::unordered_map<std::string, Object, StringHash, std::equal_to<>> by_key_;
};

}  // namespace berth::scheduler
