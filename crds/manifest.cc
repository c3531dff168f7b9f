// SPDX-License-Identifier: Apache-2.0
#include "crds/manifest.h"

#include <string>

#include "crds/scheduler_profile.h"
#include "crds/schema.h"

namespace berth::crds {
namespace {

using api::CustomResourceColumnDefinition;

std::string OfCondition(std::string_view type, std::string_view field) {
  return ".status.conditions[?(@.type==\"" + std::string(type) + "\")]." + std::string(field);
}

std::vector<CustomResourceColumnDefinition> Columns() {
  return {
      {.name = "Ready", .type = "string", .json_path = OfCondition(kConditionReady, "status")},
      {.name = "Reason", .type = "string", .json_path = OfCondition(kConditionReady, "reason")},
      {.name = "Replicas",
       .type = "integer",
       .description = "Scheduler pods that are ready.",
       .json_path = ".status.scheduler.readyReplicas"},
      {.name = "Plugins",
       .type = "integer",
       .description = "Plugins in effect.",
       .json_path = ".status.pluginCount"},
      {.name = "Pending",
       .type = "integer",
       .description = "Pods that name this scheduler and have no node.",
       .json_path = ".status.pendingPods"},
      {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"},
      {.name = "Message",
       .type = "string",
       .priority = 1,
       .json_path = OfCondition(kConditionReady, "message")},
  };
}

}  // namespace

api::ObjectMeta InstalledMeta(std::string_view name, std::string_view component) {
  return {.name = std::string(name),
          .labels = {{"app.kubernetes.io/component", std::string(component)},
                     {"app.kubernetes.io/name", "berth"},
                     {"app.kubernetes.io/part-of", "berth"}}};
}

api::CustomResourceDefinition SchedulerProfileDefinition() {
  const api::ResourceInfo& resource = SchedulerProfile::kResource;
  const std::string plural(resource.plural);

  api::JsonSchemaProps schema = RootSchemaOf(json::TypeOf<SchedulerProfile>());
  schema.description =
      "A SchedulerProfile is a scheduler with a name: pods whose spec.schedulerName is the name of "
      "the profile, or one of "
      "its aliases, are placed by it.";

  api::CustomResourceDefinitionVersion version{
      .name = std::string(resource.version),
      .served = true,
      .storage = true,
      .subresources = api::CustomResourceSubresources{.status = {"{}"}},
      .additional_printer_columns = Columns(),
  };
  version.schema.open_api_v3_schema = std::move(schema);

  return {.metadata = InstalledMeta(plural + "." + std::string(resource.group), "crds"),
          .spec = {.group = std::string(resource.group),
                   .names = {.kind = std::string(resource.kind),
                             .list_kind = std::string(resource.kind) + "List",
                             .plural = plural,
                             .singular = "schedulerprofile",
                             .short_names = {"sprof"},
                             .categories = {"berth"}},
                   .scope = "Cluster",
                   .versions = {std::move(version)}}};
}

}  // namespace berth::crds
