// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "api/affinity.h"
#include "api/field_error.h"

namespace berth::scheduler {

// NodeAffinityArgs are the arguments of NodeAffinity. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, NodeAffinityArgs.
struct NodeAffinityArgs {
  std::optional<api::NodeAffinity> added_affinity;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("addedAffinity", &NodeAffinityArgs::added_affinity)
            .Doc("Node affinity that every pod of the profile has besides its own. Pods of a "
                 "DaemonSet are made for one node and stay pending where the two contradict."));
  }

  std::vector<api::FieldError> Validate() const;
};

}  // namespace berth::scheduler
