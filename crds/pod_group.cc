// SPDX-License-Identifier: Apache-2.0
#include "crds/pod_group.h"

#include <string>

#include "api/pod_group.h"
#include "crds/capabilities.h"
#include "crds/manifest.h"

namespace berth::crds {
namespace {

std::vector<api::CustomResourceColumnDefinition> PodGroupColumns() {
  return {
      {.name = "Phase", .type = "string", .json_path = ".status.phase"},
      {.name = "MinMember", .type = "integer", .json_path = ".spec.minMember"},
      {.name = "Running", .type = "integer", .json_path = ".status.running"},
      {.name = "Succeeded", .type = "integer", .json_path = ".status.succeeded"},
      {.name = "Failed", .type = "integer", .json_path = ".status.failed"},
      {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"},
  };
}

api::ClusterRole PodGroupRole(std::string_view access, const std::vector<std::string>& verbs,
                              const std::vector<std::string>& parts_of) {
  const std::string plural(api::PodGroup::kResource.plural);
  api::ClusterRole role{.metadata = InstalledMeta("berth:podgroups-" + std::string(access), "crds"),
                        .rules = {RuleFor(api::PodGroup::kResource.group, {plural}, verbs)}};
  for (const std::string& part_of : parts_of) {
    role.metadata.labels["rbac.authorization.k8s.io/aggregate-to-" + part_of] = "true";
  }
  return role;
}

}  // namespace

api::CustomResourceDefinition PodGroupDefinition() {
  return DefinitionOf(
      api::PodGroup::kResource, json::TypeOf<api::PodGroup>(),
      {.description =
           "A PodGroup is a group of pods that are only useful together: the pods of its "
           "namespace with the label " +
           std::string(api::kPodGroupLabel) + ".",
       .short_names = {"pg", "pgs"},
       .columns = PodGroupColumns()});
}

std::vector<api::ClusterRole> PodGroupAccessRoles() {
  const std::vector<std::string> write{"create", "delete", "deletecollection", "get",
                                       "list",   "patch",  "update",           "watch"};
  return {PodGroupRole("editor", write, {"admin", "edit"}),
          PodGroupRole("viewer", {"get", "list", "watch"}, {"view"})};
}

}  // namespace berth::crds
