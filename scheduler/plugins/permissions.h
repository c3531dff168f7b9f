// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "api/scheduler_contract.h"

namespace berth::scheduler {

// BasePermissions is what the core itself reads and writes. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRole system:kube-scheduler.
constexpr std::array<api::PluginPermission, 5> BasePermissions() {
  using api::kBaseCapability;
  return {{
      {kBaseCapability, "", "pods", "get,list,watch"},
      {kBaseCapability, "", "nodes", "get,list,watch"},
      {kBaseCapability, "", "pods/binding", "create"},
      {kBaseCapability, "", "pods/status", "patch"},
      {kBaseCapability, "events.k8s.io", "events", "create,patch"},
  }};
}

}  // namespace berth::scheduler
