// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/meta.h"
#include "base/error.h"
#include "scheduler/model/volumes/object_table.h"

namespace berth::scheduler {

// AssumedObjects holds the objects of one kind in the state that we are about to write. So later
// cycles see a volume as taken before the API server confirms it. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/passive_assume_cache.go.
//
// Several pods may assume an object if their states are equal. It stays assumed until the last of
// them restores it. (Upstream drops it at the first restore.)
//
// Invariant: an assumed object has the version of the stored one. Assume rejects any other, and
// Expire drops outdated ones. Requires: Expire is called after each change of the stored object.
template <class T>
class AssumedObjects {
 public:
  using Object = std::shared_ptr<const T>;

  // Returns the assumed object of that key, or null.
  Object Find(std::string_view key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : found->second.object;
  }
  size_t size() const { return rows_.size(); }

  // Assumes an object in place of `stored`. Errors (kNotFound, kConflict): the stored object is
  // missing, has another version, or is assumed in another state.
  Result<void> Assume(Object object, const T* stored) {
    const std::string key = api::KeyOf(object->metadata);
    if (stored == nullptr) return Fail(Reason::kNotFound, NotFound(key));
    const std::string& is = stored->metadata.resource_version;
    const std::string& assumes = object->metadata.resource_version;
    if (is != assumes || stored->metadata.uid != object->metadata.uid) {
      return Fail(Reason::kConflict,
                  "\"" + key + "\" is out of sync (stored: " + is + ", assume: " + assumes + ")");
    }
    Row& row = rows_[key];
    if (row.object != nullptr && *row.object != *object) {
      return Fail(Reason::kConflict, "\"" + key + "\" is assumed by another pod");
    }
    row.object = std::move(object);
    ++row.pods;
    return {};
  }

  // Undoes the Assume of one pod. No effect if the object is no longer assumed.
  void Restore(const T& object) {
    const auto row = rows_.find(api::KeyOf(object.metadata));
    if (row == rows_.end() || *row->second.object != object) return;
    if (--row->second.pods == 0) rows_.erase(row);
  }

  void Expire(std::string_view key, const T* stored) {
    const auto row = rows_.find(key);
    if (row == rows_.end()) return;
    const api::ObjectMeta& assumed = row->second.object->metadata;
    if (stored == nullptr || stored->metadata.uid != assumed.uid ||
        stored->metadata.resource_version != assumed.resource_version) {
      rows_.erase(row);
    }
  }
  void Clear() { rows_.clear(); }

  // Returns the error text for a missing object.
  static std::string NotFound(std::string_view key) {
    return std::string(T::kResource.plural) + " \"" + std::string(key) + "\" not found";
  }

 private:
  struct Row {
    Object object;
    size_t pods = 0;  // number of pods that assume it
  };

  std::unordered_map<std::string, Row, StringHash, std::equal_to<>> rows_;
};

}  // namespace berth::scheduler
