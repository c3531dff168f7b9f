// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/meta.h"
#include "base/error.h"
#include "scheduler/cache/volumes/object_table.h"

namespace berth::scheduler {

// AssumedObjects is the objects of one kind as we are about to write them, so that later cycles see
// what is taken before the API server shows it. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/passive_assume_cache.go.
//
// One object may be assumed by several pods, equally; it is until the last of them restores it. (There,
// the first to restore it takes it from all.)
//
// Invariant: an assumed object has the version of the stored one, because Assume refuses any other
// and Expire, to be called after each change of the stored one, drops it.
template <class T>
class AssumedObjects {
 public:
  using Object = std::shared_ptr<const T>;

  // Find gives what is assumed of that key, or null.
  Object Find(std::string_view key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : found->second.object;
  }
  size_t size() const { return rows_.size(); }

  // Assume takes the place of `stored`. Errors (kNotFound, kConflict): that is gone, has another
  // version, or is assumed to be something else.
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

  // Restore takes back what one pod assumed; nothing, where it is not assumed any more.
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

  // NotFound is the text for an object that is not there.
  static std::string NotFound(std::string_view key) {
    return std::string(T::kResource.plural) + " \"" + std::string(key) + "\" not found";
  }

 private:
  struct Row {
    Object object;
    size_t pods = 0;  // that assume it
  };

  std::unordered_map<std::string, Row, StringHash, std::equal_to<>> rows_;
};

}  // namespace berth::scheduler
