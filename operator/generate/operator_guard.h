// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "api/admission.h"
#include "api/rbac.h"

namespace berth::operator_ {

// The guard is an admission policy on what the operator's own account writes of bindings. Its roles
// cannot say this: creating and deleting take no names there, and whoever may bind the operator's
// own role could hand it on. So an operator that somebody took over still gives a profile's
// ServiceAccount what a scheduler may have, and nobody else anything; and it deletes no binding but
// those it makes.
inline constexpr std::string_view kGuardName = "berth-operator-bindings";

// OperatorGuard knows `capabilities` and the roles of a kube-scheduler; to its variable
// administratorRoles an administrator adds those of --allowed-cluster-roles.
api::ValidatingAdmissionPolicy OperatorGuard(const std::vector<api::ClusterRole>& capabilities);
api::ValidatingAdmissionPolicyBinding OperatorGuardBinding();

}  // namespace berth::operator_
