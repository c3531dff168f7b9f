// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace berth::api {

enum class ChangeType : uint8_t { kAdded, kModified, kDeleted };

// Change is what became of one object of the API server, from the watch that saw it
// (client/informer.h) to the core (Scheduler::On). Added, Modified and Deleted make one.
//
//              before             after
//   kAdded     null               the object
//   kModified  the state before   the state now
//   kDeleted   the last state     null
//
// Where states are not kept, `before` is null whatever the type; `lost_uid` then names what is
// gone.
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
  // newest is the last state known. Requires: one is known.
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

// Deleted is for an object of which nothing but the UID is known.
template <class T>
Change<T> Deleted(std::string uid) {
  return {.type = ChangeType::kDeleted, .before = {}, .after = {}, .lost_uid = std::move(uid)};
}

}  // namespace berth::api
