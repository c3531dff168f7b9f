// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_balanced_allocation_args.h"

#include <set>

namespace berth::scheduler {

std::vector<api::FieldError> NodeResourcesBalancedAllocationArgs::Validate() const {
  std::vector<api::FieldError> mistakes;
  std::set<std::string_view> seen;
  for (size_t i = 0; i < resources.size(); ++i) {
    const std::string path = api::Index("resources", i);
    if (!seen.insert(resources[i].name).second) {
      mistakes.push_back(api::FieldError::Duplicate(api::Child(path, "name"), resources[i].name));
    }
    if (resources[i].weight == 0 || resources[i].weight == 1) continue;  // 0 stands for 1
    mistakes.push_back(
        api::FieldError::Invalid(api::Child(path, "weight"), resources[i].weight, "must be 1"));
  }
  return mistakes;
}

}  // namespace berth::scheduler
