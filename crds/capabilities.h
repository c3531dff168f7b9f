// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/rbac.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// A capability is a static ClusterRole, berth:<capability>, with the API permissions of some
// plugins. A scheduler is bound to the capabilities of its plugins, so that a scheduler without
// preemption cannot delete pods. Every scheduler has api::kBaseCapability.

// Returns the ClusterRoles of all capabilities of served plugins, "base" first, then by name.
std::vector<api::ClusterRole> CapabilityRoles(const PluginCatalogueView& catalogue);

// Returns "berth:<capability>".
std::string CapabilityRoleName(std::string_view capability);

// Returns the capabilities of a kube-scheduler: ClusterRoles that Kubernetes creates in every
// cluster, system:<capability>. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRoleBindings.
std::vector<std::string> KubeSchedulerCapabilities();
std::string KubeSchedulerRoleName(std::string_view capability);

// Returns the ClusterRoles for users: berth:schedulerprofiles-admin, -editor and -viewer. Only the
// viewer role is aggregated to a built-in role (view): a profile decides where pods run, which is
// more than `edit` of a namespace grants.
std::vector<api::ClusterRole> ProfileAccessRoles();

// Returns one rule without resource names.
api::PolicyRule RuleFor(std::string_view group, std::vector<std::string> resources,
                        std::vector<std::string> verbs);

}  // namespace berth::crds
