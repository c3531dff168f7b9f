// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/owner_index.h"

namespace berth::apiserver {

void OwnerIndex::Add(const std::vector<std::string>& owners, const Reference& dependent) {
  for (const std::string& owner : owners) dependents_[owner].insert(dependent);
}

void OwnerIndex::Remove(const std::vector<std::string>& owners, const Reference& dependent) {
  for (const std::string& owner : owners) {
    const auto found = dependents_.find(owner);
    if (found == dependents_.end()) continue;
    found->second.erase(dependent);
    if (found->second.empty()) dependents_.erase(found);
  }
}

std::vector<OwnerIndex::Reference> OwnerIndex::DependentsOf(std::string_view owner) const {
  const auto found = dependents_.find(owner);
  if (found == dependents_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace berth::apiserver
