// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/field_error.h"
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {

// NodeResourcesBalancedAllocationArgs are the arguments of NodeResourcesBalancedAllocation. Source:
// k8s.io/kube-scheduler config/v1/types_pluginargs.go, NodeResourcesBalancedAllocationArgs.
struct NodeResourcesBalancedAllocationArgs {
  std::vector<WeightedResource> resources;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("resources", &NodeResourcesBalancedAllocationArgs::resources)
            .Doc("Resources that are to be used evenly; cpu and memory by default. All count the "
                 "same: no weight but 1 is allowed."));
  }

  std::vector<api::FieldError> Validate() const;
};

}  // namespace berth::scheduler
