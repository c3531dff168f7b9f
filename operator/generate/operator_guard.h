// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "api/admission.h"
#include "api/rbac.h"

namespace berth::operator_ {

// The guard is an admission policy on the Roles and bindings that the operator's account writes.
// RBAC cannot express it: create and delete have no resource names, an account that may bind the
// operator's own role could pass it on, and its permission to create Roles covers all its own
// rules. With the guard even a compromised operator can only give the ServiceAccount of a profile,
// in a namespace of schedulers, the permissions of a scheduler, and delete only its own Roles and
// bindings (docs/design/0034).
inline constexpr std::string_view kGuardName = "berth-operator-bindings";

// Returns the policy. It allows `capabilities` and the roles of a kube-scheduler; an administrator
// adds the roles of --allowed-cluster-roles to its variable administratorRoles.
api::ValidatingAdmissionPolicy OperatorGuard(const std::vector<api::ClusterRole>& capabilities);
api::ValidatingAdmissionPolicyBinding OperatorGuardBinding();

}  // namespace berth::operator_
