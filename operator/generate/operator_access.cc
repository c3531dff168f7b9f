// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_access.h"

#include <string>

#include "crds/capabilities.h"
#include "crds/manifest.h"
#include "crds/scheduler_profile.h"

namespace berth::operator_ {
namespace {

using crds::RuleFor;

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";
constexpr std::string_view kComponent = "operator";
const char* const kClusterRoleName = "berth:operator";

std::vector<std::string> Read() { return {"get", "list", "watch"}; }
std::vector<std::string> Manage() { return {"create", "delete", "get", "list", "patch", "watch"}; }

// The objects of a scheduler, and what its Role hands on: its Lease, its ConfigMap, events on its
// Lease.
std::vector<api::PolicyRule> NamespaceRules() {
  return {
      RuleFor("", {"configmaps", "serviceaccounts", "services"}, Manage()),
      RuleFor("apps", {"controllerrevisions", "deployments"}, Manage()),
      RuleFor("networking.k8s.io", {"networkpolicies"}, Manage()),
      RuleFor("policy", {"poddisruptionbudgets"}, Manage()),
      RuleFor(kRbacGroup, {"rolebindings", "roles"}, Manage()),
      RuleFor("coordination.k8s.io", {"leases"},
              {"create", "delete", "get", "list", "patch", "update", "watch"}),
      RuleFor("", {"events"}, {"create", "patch"}),
      RuleFor("events.k8s.io", {"events"}, {"create", "patch"}),
  };
}

std::vector<api::Subject> Operator() {
  return {{.kind = "ServiceAccount",
           .namespace_ = std::string(crds::kDefaultNamespace),
           .name = std::string(crds::kOperatorName)}};
}

api::ObjectMeta InOwnNamespace() {
  api::ObjectMeta meta = crds::InstalledMeta(crds::kOperatorName, kComponent);
  meta.namespace_ = crds::kDefaultNamespace;
  return meta;
}

api::RoleRef RefTo(std::string_view kind, std::string_view name) {
  return {
      .api_group = std::string(kRbacGroup), .kind = std::string(kind), .name = std::string(name)};
}

}  // namespace

api::ClusterRole OperatorClusterRole(const std::vector<api::ClusterRole>& capabilities) {
  const std::string profiles(crds::SchedulerProfile::kResource.plural);
  api::PolicyRule bind = RuleFor(kRbacGroup, {"clusterroles"}, {"bind"});
  for (const api::ClusterRole& capability : capabilities) {
    bind.resource_names.push_back(capability.metadata.name);
  }
  api::ClusterRole role{.metadata = crds::InstalledMeta(kClusterRoleName, kComponent)};
  role.rules = {
      RuleFor(crds::kGroup, {profiles}, Read()),
      RuleFor(crds::kGroup, {profiles + "/status"}, {"patch"}),
      RuleFor(crds::kGroup, {profiles + "/finalizers"}, {"update"}),
      RuleFor(kRbacGroup, {"clusterrolebindings"}, Manage()),
      std::move(bind),
      // Events about a profile, which has no namespace, stand in `default`.
      RuleFor("events.k8s.io", {"events"}, {"create", "patch"}),
      // Pods that still wait for a scheduler when its profile goes are told so.
      RuleFor("", {"pods"}, {"list"}),
  };
  return role;
}

api::ClusterRoleBinding OperatorClusterRoleBinding() {
  return {.metadata = crds::InstalledMeta(kClusterRoleName, kComponent),
          .role_ref = RefTo("ClusterRole", kClusterRoleName),
          .subjects = Operator()};
}

api::Role OperatorRole() { return {.metadata = InOwnNamespace(), .rules = NamespaceRules()}; }

api::RoleBinding OperatorRoleBinding() {
  return {.metadata = InOwnNamespace(),
          .role_ref = RefTo("Role", crds::kOperatorName),
          .subjects = Operator()};
}

api::ClusterRole ManagedNamespaceRole() {
  return {.metadata = crds::InstalledMeta(crds::kOperatorNamespaceRole, kComponent),
          .rules = NamespaceRules()};
}

api::RoleBinding ManagedNamespaceBinding() {
  return {.metadata = crds::InstalledMeta(crds::kOperatorName, kComponent),
          .role_ref = RefTo("ClusterRole", crds::kOperatorNamespaceRole),
          .subjects = Operator()};
}

}  // namespace berth::operator_
