// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/rbac.h"

namespace berth::operator_ {

// The operator's permissions. It may bind only the capabilities, so that it cannot grant anyone
// more than these; it has no escalate, no wildcard and no Secrets. A Role that it writes for a
// scheduler may only hold rules that it holds itself in that namespace.

// Returns the cluster-wide permissions. `capabilities` are the ClusterRoles that it may bind.
api::ClusterRole OperatorClusterRole(const std::vector<api::ClusterRole>& capabilities);
api::ClusterRoleBinding OperatorClusterRoleBinding();

// Returns the permissions in the operator's own namespace, the default namespace of schedulers.
api::Role OperatorRole();
api::RoleBinding OperatorRoleBinding();

// Returns the permissions in another namespace of schedulers. An administrator grants them by
// applying ManagedNamespaceBinding there.
api::ClusterRole ManagedNamespaceRole();
api::RoleBinding ManagedNamespaceBinding();

}  // namespace berth::operator_
