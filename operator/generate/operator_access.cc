// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_access.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "api/admission.h"
#include "api/discovery.h"
#include "api/pod_group.h"
#include "controllers/api_server_ports.h"
#include "controllers/rendered_kinds.h"
#include "crds/capabilities.h"
#include "crds/scheduler_profile.h"
#include "operator/generate/operator_meta.h"

namespace berth::operator_ {
namespace {

using crds::RuleFor;

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";
const char* const kClusterRoleName = "berth:operator";

std::vector<std::string> Read() { return {"get", "list", "watch"}; }
std::vector<std::string> Manage() { return {"create", "delete", "get", "list", "patch", "watch"}; }

using ResourcesOfGroups = std::map<std::string_view, std::set<std::string>>;

// Returns one rule per API group.
std::vector<api::PolicyRule> ManageAll(const ResourcesOfGroups& resources) {
  std::vector<api::PolicyRule> rules;
  for (const auto& [group, names] : resources) {
    rules.push_back(RuleFor(group, {names.begin(), names.end()}, Manage()));
  }
  return rules;
}

ResourcesOfGroups RenderedResources(bool namespaced) {
  ResourcesOfGroups resources;
  for (const controllers::RenderedKind& kind : controllers::RenderedKinds()) {
    const api::ResourceInfo& info = *kind.resource;
    if (info.namespaced == namespaced) resources[info.group].emplace(info.plural);
  }
  return resources;
}

// Rules for the objects of a scheduler, its pods (they show why it does not start), and the rules
// that its Role passes on: renewing its Lease, reading its ConfigMap, events.
std::vector<api::PolicyRule> NamespaceRules() {
  std::vector<api::PolicyRule> rules = ManageAll(RenderedResources(/*namespaced=*/true));
  rules.push_back(RuleFor("coordination.k8s.io", {"leases"}, {"update"}));
  rules.push_back(RuleFor("", {"pods"}, Read()));
  rules.push_back(RuleFor("events.k8s.io", {"events"}, {"create", "patch"}));
  return rules;
}

std::vector<api::Subject> Operator() {
  return {{.kind = "ServiceAccount",
           .namespace_ = std::string(crds::kDefaultNamespace),
           .name = std::string(crds::kOperatorName)}};
}

// Read access to the API server's ports, which schedulers must reach. Not a Role in namespace
// `default`, because a kustomization that moves the operator would move the Role, too.
api::PolicyRule ReadApiServerPorts() {
  const api::ResourceInfo& slices = api::EndpointSlice::kResource;
  api::PolicyRule rule = RuleFor(slices.group, {std::string(slices.plural)}, Read());
  rule.resource_names = {std::string(controllers::kApiServerSlice)};
  return rule;
}

api::RoleRef RefTo(std::string_view kind, std::string_view name) {
  return {
      .api_group = std::string(kRbacGroup), .kind = std::string(kind), .name = std::string(name)};
}

}  // namespace

api::ClusterRole OperatorClusterRole(const std::vector<api::ClusterRole>& capabilities) {
  const std::string profiles(crds::SchedulerProfile::kResource.plural);
  const std::string pod_groups(api::PodGroup::kResource.plural);
  api::PolicyRule bind = RuleFor(kRbacGroup, {"clusterroles"}, {"bind"});
  for (const api::ClusterRole& capability : capabilities) {
    bind.resource_names.push_back(capability.metadata.name);
  }
  for (const std::string& capability : crds::KubeSchedulerCapabilities()) {
    bind.resource_names.push_back(crds::KubeSchedulerRoleName(capability));
  }
  api::ClusterRole role{.metadata = crds::InstalledMeta(kClusterRoleName, kOperatorComponent)};
  role.rules = {
      RuleFor(crds::kGroup, {profiles}, Read()),
      RuleFor(crds::kGroup, {profiles + "/status"}, {"patch"}),
      RuleFor(crds::kGroup, {profiles + "/finalizers"}, {"update"}),
  };
  for (api::PolicyRule& rule : ManageAll(RenderedResources(/*namespaced=*/false))) {
    role.rules.push_back(std::move(rule));
  }
  role.rules.insert(
      role.rules.end(),
      {
          std::move(bind),
          // To watch only namespaces that exist.
          RuleFor("", {"namespaces"}, Read()),
          ReadApiServerPorts(),
          // To name those that change the operator's writes.
          RuleFor(api::MutatingWebhookConfiguration::kResource.group,
                  {std::string(api::MutatingAdmissionPolicy::kResource.plural),
                   std::string(api::MutatingWebhookConfiguration::kResource.plural)},
                  {"list"}),
          // Extenders and metric sources may be Services in namespaces without schedulers.
          RuleFor("", {"services"}, {"get"}),
          // Events of a cluster-scoped profile are in `default`.
          RuleFor("events.k8s.io", {"events"}, {"create", "patch"}),
          // The operator sends events to pending pods when their profile is deleted, and counts the
          // pods of PodGroups.
          RuleFor("", {"pods"}, {"list", "watch"}),
          RuleFor(api::PodGroup::kResource.group, {pod_groups}, Read()),
          RuleFor(api::PodGroup::kResource.group, {pod_groups + "/status"}, {"patch"}),
      });
  return role;
}

api::ClusterRoleBinding OperatorClusterRoleBinding() {
  return {.metadata = crds::InstalledMeta(kClusterRoleName, kOperatorComponent),
          .role_ref = RefTo("ClusterRole", kClusterRoleName),
          .subjects = Operator()};
}

api::Role OperatorRole() { return {.metadata = OperatorMeta(), .rules = NamespaceRules()}; }

api::RoleBinding OperatorRoleBinding() {
  return {.metadata = OperatorMeta(),
          .role_ref = RefTo("Role", crds::kOperatorName),
          .subjects = Operator()};
}

api::ClusterRole ManagedNamespaceRole() {
  return {.metadata = crds::InstalledMeta(crds::kOperatorNamespaceRole, kOperatorComponent),
          .rules = NamespaceRules()};
}

api::RoleBinding ManagedNamespaceBinding() {
  return {.metadata = crds::InstalledMeta(crds::kOperatorName, kOperatorComponent),
          .role_ref = RefTo("ClusterRole", crds::kOperatorNamespaceRole),
          .subjects = Operator()};
}

}  // namespace berth::operator_
