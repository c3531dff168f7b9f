// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

// DocumentCache keeps the documents of few objects that many requests read: priority classes,
// accounts, namespaces. An object never changes, so what is kept is never wrong.
//
// Thread: that of the store.
class DocumentCache {
 public:
  // Of is the object's text, decoded.
  std::shared_ptr<const nlohmann::json> Of(const ObjectPtr& object);

 private:
  struct Entry {
    ObjectPtr object;
    std::shared_ptr<const nlohmann::json> document;
  };

  std::array<Entry, 128> entries_;  // an object has one place, which others may take
};

}  // namespace berth::apiserver
