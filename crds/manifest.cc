// SPDX-License-Identifier: Apache-2.0
#include "crds/manifest.h"

#include <string>
#include <utility>

#include "base/strings.h"
#include "crds/scheduler_profile.h"
#include "crds/schema.h"

namespace berth::crds {
namespace {

using api::CustomResourceColumnDefinition;

// The operator writes the condition that summarizes the profile first (controllers/conditions.h),
// because the path of a column cannot choose between condition types.
std::vector<CustomResourceColumnDefinition> Columns() {
  return {
      {.name = "Ready",
       .type = "string",
       .json_path =
           ".status.conditions[?(@.type==\"" + std::string(kConditionReady) + "\")].status"},
      {.name = "Reason",
       .type = "string",
       .description = "Reason of the first condition: Paused, Suspended, or that of Ready.",
       .json_path = ".status.conditions[0].reason"},
      {.name = "Replicas",
       .type = "integer",
       .description = "Number of ready scheduler pods.",
       .json_path = ".status.scheduler.readyReplicas"},
      {.name = "Plugins",
       .type = "integer",
       .description = "Number of effective plugins.",
       .json_path = ".status.pluginCount"},
      {.name = "Pending",
       .type = "integer",
       .description = "Number of pods that use this scheduler and have no node.",
       .json_path = ".status.pendingPods"},
      {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"},
      {.name = "Message",
       .type = "string",
       .description = "Message of the first condition.",
       .priority = 1,
       .json_path = ".status.conditions[0].message"},
  };
}

}  // namespace

api::ObjectMeta InstalledMeta(std::string_view name, std::string_view component) {
  return {.name = std::string(name),
          .labels = {{"app.kubernetes.io/component", std::string(component)},
                     {"app.kubernetes.io/name", "berth"},
                     {"app.kubernetes.io/part-of", "berth"}}};
}

api::CustomResourceDefinition DefinitionOf(const api::ResourceInfo& resource,
                                           const json::Type& type, KindText text) {
  const std::string plural(resource.plural), kind(resource.kind);

  api::CustomResourceDefinitionVersion version{
      .name = std::string(resource.version),
      .served = true,
      .storage = true,
      .subresources = api::CustomResourceSubresources{.status = {"{}"}},
      .additional_printer_columns = std::move(text.columns),
  };
  api::JsonSchemaProps schema = RootSchemaOf(type);
  schema.description = std::move(text.description);
  version.schema.open_api_v3_schema = std::move(schema);

  return {.metadata = InstalledMeta(plural + "." + std::string(resource.group), "crds"),
          .spec = {.group = std::string(resource.group),
                   .names = {.kind = kind,
                             .list_kind = kind + "List",
                             .plural = plural,
                             .singular = ToLower(kind),
                             .short_names = std::move(text.short_names),
                             .categories = std::move(text.categories)},
                   .scope = resource.namespaced ? "Namespaced" : "Cluster",
                   .versions = {std::move(version)}}};
}

api::CustomResourceDefinition SchedulerProfileDefinition() {
  return DefinitionOf(SchedulerProfile::kResource, json::TypeOf<SchedulerProfile>(),
                      {.description = "A SchedulerProfile defines a scheduler: it schedules the "
                                      "pods with spec.schedulerName set to the "
                                      "name of the profile or one of its aliases.",
                       .short_names = {"sprof"},
                       .categories = {"berth"},
                       .columns = Columns()});
}

}  // namespace berth::crds
