// SPDX-License-Identifier: Apache-2.0
#include "controllers/plugin_reference.h"

#include "base/strings.h"
#include "crds/capabilities.h"

namespace berth::controllers {
namespace {

using scheduler::ClusterEvent;
using scheduler::ExtensionPoint;
using scheduler::PluginDescriptor;

std::vector<std::string> Words(std::string_view text, char separator) {
  const auto parts = Split(text, separator);
  return {parts.begin(), parts.end()};
}

// An event's label is the resource with its changes: "NodeAdd|UpdateNodeLabel".
EventReference EventOf(const scheduler::EventInterest& interest) {
  EventReference event{.resource = ClusterEvent{interest.resource, 0, {}}.Label(),
                       .why = std::string(interest.why)};
  const std::string label = ClusterEvent{interest.resource, interest.actions, {}}.Label();
  event.changes = Words(std::string_view(label).substr(event.resource.size()), '|');
  return event;
}

bool MayReject(scheduler::PointSet points) {
  using enum ExtensionPoint;
  for (const ExtensionPoint point : {kPreEnqueue, kPreFilter, kFilter, kReserve, kPermit}) {
    if (points.Has(point)) return true;
  }
  return false;
}

// Adds the events that requeue the pods of a gang. The scheduler handles them for every plugin that
// reads PodGroups, without queueing hints.
void AddGangEvents(const api::ResourceInfo& group, std::vector<EventReference>& events) {
  events.push_back({.resource = "Pod",
                    .changes = {"Add", "UpdatePodLabel", "Delete"},
                    .why = "a member joined the group, left it, or got a node"});
  events.push_back({.resource = std::string(group.group) + "/" + std::string(group.kind),
                    .changes = {"Add", "Update", "Delete"},
                    .why = "the group exists now, or needs another number of pods or resources"});
}

std::vector<EventReference> EventsOf(const PluginDescriptor& plugin) {
  std::vector<EventReference> events;
  for (const scheduler::EventInterest& interest : plugin.events) {
    events.push_back(EventOf(interest));
  }
  if (events.empty() && !plugin.no_event_helps && MayReject(plugin.points)) {
    events.push_back(EventOf({scheduler::Resource::kWildcard, scheduler::action::kAll,
                              "the plugin declares no events"}));
  }
  for (const auto kind :
       {scheduler::ObjectKind::kPodGroup, scheduler::ObjectKind::kNativePodGroup}) {
    if (plugin.reads.Has(kind)) AddGangEvents(scheduler::ResourceOf(kind), events);
  }
  return events;
}

PermissionReference PermissionOf(const api::PluginPermission& permission) {
  return {.cluster_role = crds::CapabilityRoleName(permission.capability),
          .group = std::string(permission.group),
          .resource = std::string(permission.resource),
          .verbs = Words(permission.verbs, ',')};
}

}  // namespace

const json::Type& EventReference::JsonType() {
  static const json::Type type = json::Describe<EventReference>(json::Object(
      json::Field("resource", &EventReference::resource)
          .Required()
          .Doc("Kind of the object: Node, storage.k8s.io/CSINode, AssignedPod (a pod on a node), "
               "TargetPod (the waiting pod itself); * for any."),
      json::Field("changes", &EventReference::changes)
          .Required()
          .Doc("Changes of the object, named as in the scheduler's metrics: Add, "
               "UpdateNodeLabel."),
      json::Field("why", &EventReference::why).Required().Doc("Why the change may help.")));
  return type;
}

const json::Type& PermissionReference::JsonType() {
  static const json::Type type = json::Describe<PermissionReference>(json::Object(
      json::Field("clusterRole", &PermissionReference::cluster_role)
          .Required()
          .Doc("Role with this rule; the scheduler is bound to it."),
      json::Field("apiGroup", &PermissionReference::group).Required().Doc("Empty: the core group."),
      json::Field("resource", &PermissionReference::resource)
          .Required()
          .Doc("Resource, as in RBAC rules."),
      json::Field("verbs", &PermissionReference::verbs).Required().Doc("Allowed verbs.")));
  return type;
}

const json::Type& PluginReference::JsonType() {
  static const json::Type type = json::Describe<PluginReference>(json::Object(
      json::Field("name", &PluginReference::name).Required().Doc("Name in profiles."),
      json::Field("summary", &PluginReference::summary).Required().Doc("Purpose of the plugin."),
      json::Field("origin", &PluginReference::origin)
          .Required()
          .OneOf("kube-scheduler|berth")
          .Doc("Project that defines the plugin."),
      json::Field("served", &PluginReference::served)
          .Required()
          .Doc("Whether this version has the plugin. Otherwise only name, origin, points and the "
               "settings of the default profile are known."),
      json::Field("inDefaultProfile", &PluginReference::in_default_profile)
          .Required()
          .Doc("Whether it runs unless a profile disables it."),
      json::Field("defaultWeight", &PluginReference::default_weight)
          .Doc("Score weight in the default profile."),
      json::Field("points", &PluginReference::points)
          .Required()
          .Doc("Extension points that it implements."),
      json::Field("arguments", &PluginReference::arguments)
          .Required()
          .Doc("Arguments in pluginConfig."),
      json::Field("events", &PluginReference::events)
          .Required()
          .Doc("Events that requeue a pod rejected by the plugin; empty: none."),
      json::Field("permissions", &PluginReference::permissions)
          .Required()
          .Doc("Permissions of a scheduler with the plugin, in addition to the base permissions."),
      json::Field("example", &PluginReference::example)
          .Required()
          .Doc("Example: part of a profile's spec, YAML."),
      json::Field("manual", &PluginReference::manual)
          .Doc("Names that its expressions may use; text.")));
  return type;
}

const json::Type& PluginReferences::JsonType() {
  static const json::Type type = json::Describe<PluginReferences>(
      json::Object(json::Field("plugins", &PluginReferences::plugins)
                       .Required()
                       .Doc("All plugins, the default profile's first and in its order.")));
  return type;
}

PluginReference ReferenceOf(const crds::PluginView& view, const PluginCatalogue& catalogue) {
  PluginReference reference{.name = view.name,
                            .origin = view.is_upstream ? "kube-scheduler" : "berth",
                            .served = view.served,
                            .in_default_profile = view.in_default_profile,
                            .default_weight = view.default_weight,
                            .points = view.points};
  const PluginDescriptor* plugin = catalogue.registry().Find(view.name);
  if (!plugin) return reference;
  reference.summary = plugin->summary;
  if (plugin->args) reference.arguments = ArgumentsOf(*plugin->args);
  reference.events = EventsOf(*plugin);
  for (const api::PluginPermission& permission : view.permissions) {
    reference.permissions.push_back(PermissionOf(permission));
  }
  reference.example = plugin->example;
  if (plugin->manual != nullptr) reference.manual = plugin->manual();
  return reference;
}

PluginReferences ReferencesOf(const PluginCatalogue& catalogue) {
  PluginReferences all;
  for (const crds::PluginView& view : catalogue.view().plugins) {
    all.plugins.push_back(ReferenceOf(view, catalogue));
  }
  return all;
}

}  // namespace berth::controllers
