// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/store.h"

#include <utility>

#include "base/check.h"

namespace berth::apiserver {

Collection& Store::Add(std::string resource, std::vector<std::string> fields) {
  const auto [place, is_new] = collections_.try_emplace(resource);
  BERTH_CHECK(is_new, "duplicate collection " + resource);
  place->second = std::make_unique<Collection>(std::move(resource), std::move(fields), shared_);
  return *place->second;
}

void Store::Remove(std::string_view resource) {
  const auto found = collections_.find(resource);
  if (found == collections_.end()) return;
  // Removed from the map first, so that callbacks of its watchers do not find it.
  const auto gone = std::move(found->second);
  collections_.erase(found);
}

Collection* Store::Find(std::string_view resource) {
  const auto found = collections_.find(resource);
  return found == collections_.end() ? nullptr : found->second.get();
}

void Store::SetWindow(size_t changes) {
  shared_.window = changes;
  for (const auto& [resource, collection] : collections_) collection->Trim();
}

void Store::Compact() {
  for (const auto& [resource, collection] : collections_) collection->Compact(shared_.version);
}

}  // namespace berth::apiserver
