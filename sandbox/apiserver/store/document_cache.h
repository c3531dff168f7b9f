// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

// DocumentCache caches the documents of a few objects that many requests read: priority classes,
// accounts, namespaces. Objects are immutable, so cached documents are never stale.
//
// Thread: the store's.
class DocumentCache {
 public:
  // Returns the decoded text of the object.
  std::shared_ptr<const nlohmann::json> Of(const ObjectPtr& object);

 private:
  struct Entry {
    ObjectPtr object;
    std::shared_ptr<const nlohmann::json> document;
  };

  std::array<Entry, 128> entries_;  // direct-mapped: one possible entry per object
};

}  // namespace berth::apiserver
