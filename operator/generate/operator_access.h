// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/rbac.h"

namespace berth::operator_ {

// What the operator may do. It may bind the capabilities and nothing else, so that it cannot give
// anyone more than these; it has no escalate, no wildcard and no Secrets. A Role it writes for a
// scheduler may only hold rules it holds itself in that namespace.

// OperatorClusterRole is what it needs cluster-wide. `capabilities` are the ClusterRoles it may
// bind.
api::ClusterRole OperatorClusterRole(const std::vector<api::ClusterRole>& capabilities);
api::ClusterRoleBinding OperatorClusterRoleBinding();

// OperatorRole is what it needs in its own namespace, where schedulers run unless their profile
// says otherwise.
api::Role OperatorRole();
api::RoleBinding OperatorRoleBinding();

// ManagedNamespaceRole is what it needs in another namespace that schedulers run in, and
// ManagedNamespaceBinding, applied there by an administrator, hands it over.
api::ClusterRole ManagedNamespaceRole();
api::RoleBinding ManagedNamespaceBinding();

}  // namespace berth::operator_
