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

// StringHash lets a map of strings be asked by a view.
struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};

// ObjectTable is the objects of one kind, found by UID and by key: the name, or "namespace/name".
// Invariant: a key finds the newest object that came with it; of two, the other is about to be told
// as gone.
template <class T>
class ObjectTable {
 public:
  using Object = std::shared_ptr<const T>;

  // Find gives the object with that key, or null.
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

  // Put takes the newest state of an object and gives the one before, or null.
  Object Put(Object object) {
    Object& place = by_uid_[object->metadata.uid];
    Object before = std::exchange(place, object);
    std::string key = api::KeyOf(object->metadata);
    by_key_[std::move(key)] = std::move(object);
    return before;
  }
  // Remove gives the last state, or null where there is none with that UID.
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
