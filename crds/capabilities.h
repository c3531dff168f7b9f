// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/rbac.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// A capability is a static ClusterRole, berth:<capability>: what some plugins need of the API
// server. A scheduler is bound to those of the plugins it runs, so that one without preemption
// cannot delete pods. api::kBaseCapability is what every scheduler has.

// CapabilityRoles gives the ClusterRoles of all capabilities that served plugins name, "base"
// first, then by name.
std::vector<api::ClusterRole> CapabilityRoles(const PluginCatalogueView& catalogue);

// CapabilityRoleName is "berth:<capability>".
std::string CapabilityRoleName(std::string_view capability);

// What a kube-scheduler needs it is bound to as in any cluster: the ClusterRoles that Kubernetes
// makes for it, system:<capability>. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRoleBindings.
std::vector<std::string> KubeSchedulerCapabilities();
std::string KubeSchedulerRoleName(std::string_view capability);

// ProfileAccessRoles gives the ClusterRoles for people: berth:schedulerprofiles-admin, -editor and
// -viewer. Only the viewer's is part of a built-in role (view): who writes a profile decides
// where pods go, which is more than `edit` of a namespace means.
std::vector<api::ClusterRole> ProfileAccessRoles();

// RuleFor is one rule without resource names.
api::PolicyRule RuleFor(std::string_view group, std::vector<std::string> resources,
                        std::vector<std::string> verbs);

}  // namespace berth::crds
