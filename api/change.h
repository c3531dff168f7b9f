// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace berth::api {

enum class ChangeType : uint8_t { kAdded, kModified, kDeleted };

// Change is a change of one API object, passed from the watch (client/informer.h) to the core
// (Scheduler::On). Create it with Added, Modified or Deleted.
//
//              before             after
//   kAdded     null               the object
//   kModified  the state before   the state now
//   kDeleted   the last state     null
//
// If the watch does not keep objects, `before` is always null, and `lost_uid` identifies a deleted
// object.
template <class T>
struct Change {
  using Object = std::shared_ptr<const T>;

  ChangeType type = ChangeType::kAdded;
  Object before;
  Object after;
  std::string lost_uid;

  const std::string& uid() const {
    if (after != nullptr) return after->metadata.uid;
    return before != nullptr ? before->metadata.uid : lost_uid;
  }
  // Returns the last known state. Requires: before or after is not null.
  const T& newest() const { return after != nullptr ? *after : *before; }
};

template <class T>
Change<T> Added(std::shared_ptr<const T> object) {
  return {.type = ChangeType::kAdded, .before = {}, .after = std::move(object), .lost_uid = {}};
}

template <class T>
Change<T> Modified(std::shared_ptr<const T> before, std::shared_ptr<const T> after) {
  return {.type = ChangeType::kModified,
          .before = std::move(before),
          .after = std::move(after),
          .lost_uid = {}};
}

template <class T>
Change<T> Deleted(std::shared_ptr<const T> object) {
  return {.type = ChangeType::kDeleted, .before = std::move(object), .after = {}, .lost_uid = {}};
}

// Deleted for an object of which only the UID is known.
template <class T>
Change<T> Deleted(std::string uid) {
  return {.type = ChangeType::kDeleted, .before = {}, .after = {}, .lost_uid = std::move(uid)};
}

}  // namespace berth::api
