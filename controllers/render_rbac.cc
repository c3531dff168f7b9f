// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"
#include "controllers/leftovers.h"
#include "controllers/render.h"
#include "crds/capabilities.h"

namespace berth::controllers {
namespace {

api::Subject SubjectOf(const crds::SchedulerProfile& profile) {
  return {.kind = "ServiceAccount",
          .api_group = "",
          .namespace_ = profile.spec.namespace_,
          .name = ObjectName(profile)};
}

}  // namespace

api::ServiceAccount RenderServiceAccount(const RenderInput& input) {
  api::ServiceAccount account;
  account.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  account.automount_service_account_token = false;
  return account;
}

// Grants access by name to the profile's own objects only. The operator creates the Lease, since a
// permission to create cannot be limited to a name. The Role is the same for each engine: after a
// change of the engine the old pods run until the new ones are ready.
api::Role RenderRole(const RenderInput& input) {
  const std::string name = ObjectName(input.profile);
  api::Role role;
  role.metadata = MetadataOf(input.profile, name, input.profile.spec.namespace_);
  role.rules = {
      {.api_groups = {"coordination.k8s.io"},
       .resources = {"leases"},
       .resource_names = {name},
       .verbs = {"get", "update"}},
      {.api_groups = {""},
       .resources = {"configmaps"},
       .resource_names = {name},
       .verbs = {"get", "list", "watch"}},
      {.api_groups = {"events.k8s.io"}, .resources = {"events"}, .verbs = {"create", "patch"}},
  };
  return role;
}

api::RoleBinding RenderRoleBinding(const RenderInput& input) {
  const std::string name = ObjectName(input.profile);
  api::RoleBinding binding;
  binding.metadata = MetadataOf(input.profile, name, input.profile.spec.namespace_);
  binding.role_ref = {
      .api_group = std::string(api::Role::kResource.group), .kind = "Role", .name = name};
  binding.subjects = {SubjectOf(input.profile)};
  return binding;
}

// Renders one binding for each capability and one for each ClusterRole that the profile names and
// the installation allows. Each names the served scheduler names, for an operator that finds it
// after the profile was deleted. Capabilities have no colon in their names, so the names of the bindings
// never collide.
std::vector<api::ClusterRoleBinding> RenderClusterRoleBindings(const RenderInput& input) {
  std::vector<api::ClusterRoleBinding> bindings;
  const auto bind = [&](std::string_view suffix, std::string role) {
    api::ClusterRoleBinding& binding = bindings.emplace_back();
    binding.metadata = MetadataOf(input.profile, BindingName(input.profile, suffix), "");
    if (!input.names.empty()) {
      binding.metadata.annotations[std::string(kSchedulerNamesAnnotation)] = Join(input.names, ",");
    }
    binding.role_ref = {.api_group = std::string(api::Role::kResource.group),
                        .kind = "ClusterRole",
                        .name = std::move(role)};
    binding.subjects = {SubjectOf(input.profile)};
  };
  const bool is_kube_scheduler = input.profile.spec.engine.IsKubeScheduler();
  for (const std::string& capability : input.capabilities) {
    bind(capability, is_kube_scheduler ? crds::KubeSchedulerRoleName(capability)
                                       : crds::CapabilityRoleName(capability));
  }
  for (const std::string& role : input.profile.spec.engine.cluster_roles) {
    bind("role:" + role, role);
  }
  return bindings;
}

}  // namespace berth::controllers
