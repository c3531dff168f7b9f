// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "api/scheduler_contract.h"
#include "scheduler/model/object_kind.h"

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

// ReadPermissions is what a scheduler needs whose plugins read these kinds: an informer of each. They
// are capabilities of their own, since not every profile has such plugins.
std::vector<api::PluginPermission> ReadPermissions(ObjectKindSet kinds);

}  // namespace berth::scheduler
