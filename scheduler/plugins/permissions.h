// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "api/scheduler_contract.h"
#include "scheduler/model/object_kind.h"

namespace berth::scheduler {

// Returns the permissions that every scheduler needs, whatever its plugins. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRole system:kube-scheduler.
constexpr std::array<api::PluginPermission, 6> BasePermissions() {
  using api::kBaseCapability;
  return {{
      {kBaseCapability, "", "pods", "get,list,watch"},
      {kBaseCapability, "", "nodes", "get,list,watch"},
      {kBaseCapability, "", "pods/binding", "create"},
      {kBaseCapability, "", "pods/status", "patch"},
      {kBaseCapability, "events.k8s.io", "events", "create,patch"},
      // Of its own profile: the configurations that it may run.
      {kBaseCapability, "berth.dev", "schedulerprofiles", "get,list,watch"},
  }};
}

// Returns the permissions of the informers for these kinds. They are separate capabilities, since
// not every profile has plugins that read these kinds.
std::vector<api::PluginPermission> ReadPermissions(ObjectKindSet kinds);

}  // namespace berth::scheduler
