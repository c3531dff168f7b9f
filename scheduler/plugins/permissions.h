// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// kBaseCapability is the ClusterRole (berth:base) that every scheduler is bound to, whatever its
// plugins.
inline constexpr std::string_view kBaseCapability = "base";

// BasePermissions is what the core itself reads and writes. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRole system:kube-scheduler.
constexpr std::array<Permission, 7> BasePermissions() {
  return {{
      {kBaseCapability, "", "pods", "get,list,watch"},
      {kBaseCapability, "", "nodes", "get,list,watch"},
      {kBaseCapability, "", "namespaces", "get,list,watch"},
      {kBaseCapability, "", "pods/binding", "create"},
      {kBaseCapability, "", "pods/status", "patch"},
      {kBaseCapability, "", "events", "create,patch"},
      {kBaseCapability, "events.k8s.io", "events", "create,patch"},
  }};
}

}  // namespace berth::scheduler
