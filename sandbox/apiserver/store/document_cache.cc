// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/document_cache.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

std::shared_ptr<const nlohmann::json> DocumentCache::Of(const ObjectPtr& object) {
  // Versions are evenly distributed and differ between objects.
  Entry& entry = entries_[object->version % entries_.size()];
  if (entry.object != object) {
    entry = {object, std::make_shared<const nlohmann::json>(ReadDocument(object->text))};
  }
  return entry.document;
}

}  // namespace berth::apiserver
