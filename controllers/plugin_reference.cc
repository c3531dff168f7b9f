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

// An event's label is the resource with what happened to it: "NodeAdd|UpdateNodeLabel".
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

std::vector<EventReference> EventsOf(const PluginDescriptor& plugin) {
  std::vector<EventReference> events;
  for (const scheduler::EventInterest& interest : plugin.events) {
    events.push_back(EventOf(interest));
  }
  if (events.empty() && !plugin.no_event_helps && MayReject(plugin.points)) {
    events.push_back(EventOf({scheduler::Resource::kWildcard, scheduler::action::kAll,
                              "the plugin does not say which events help"}));
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
  static const json::Type type = json::Describe<EventReference>(
      json::Object(json::Field("resource", &EventReference::resource)
                       .Required()
                       .Doc("Of what: Node, Pod, storage.k8s.io/CSINode; * for anything."),
                   json::Field("changes", &EventReference::changes)
                       .Required()
                       .Doc("What happens to it, in the words of the scheduler's metrics: Add, "
                            "UpdateNodeLabel."),
                   json::Field("why", &EventReference::why).Required().Doc("Why it may help.")));
  return type;
}

const json::Type& PermissionReference::JsonType() {
  static const json::Type type = json::Describe<PermissionReference>(json::Object(
      json::Field("clusterRole", &PermissionReference::cluster_role)
          .Required()
          .Doc("The role that grants it, which the profile is bound to."),
      json::Field("apiGroup", &PermissionReference::group).Required().Doc("Empty: the core group."),
      json::Field("resource", &PermissionReference::resource)
          .Required()
          .Doc("As rules of RBAC name it."),
      json::Field("verbs", &PermissionReference::verbs)
          .Required()
          .Doc("What may be done with it.")));
  return type;
}

const json::Type& PluginReference::JsonType() {
  static const json::Type type = json::Describe<PluginReference>(json::Object(
      json::Field("name", &PluginReference::name).Required().Doc("As profiles name it."),
      json::Field("summary", &PluginReference::summary).Required().Doc("What it does."),
      json::Field("origin", &PluginReference::origin)
          .Required()
          .OneOf("kube-scheduler|berth")
          .Doc("Whose plugin it is."),
      json::Field("served", &PluginReference::served)
          .Required()
          .Doc("This version has it. Of one that it has not, name, origin, points and what the "
               "default profile says are all."),
      json::Field("inDefaultProfile", &PluginReference::in_default_profile)
          .Required()
          .Doc("It runs unless a profile disables it."),
      json::Field("defaultWeight", &PluginReference::default_weight)
          .Doc("Of its scores, in the default profile."),
      json::Field("points", &PluginReference::points)
          .Required()
          .Doc("The extension points that it implements."),
      json::Field("arguments", &PluginReference::arguments)
          .Required()
          .Doc("What pluginConfig may say."),
      json::Field("events", &PluginReference::events)
          .Required()
          .Doc("What may help a pod that it refused: then the pod is tried again."),
      json::Field("permissions", &PluginReference::permissions)
          .Required()
          .Doc("What a scheduler that runs it gets, beyond what each has."),
      json::Field("example", &PluginReference::example)
          .Required()
          .Doc("A part of a profile's spec, YAML."),
      json::Field("manual", &PluginReference::manual)
          .Doc("What its arguments may name, where they are expressions: text.")));
  return type;
}

const json::Type& PluginReferences::JsonType() {
  static const json::Type type = json::Describe<PluginReferences>(
      json::Object(json::Field("plugins", &PluginReferences::plugins)
                       .Required()
                       .Doc("All plugins, those of the default profile first and in its order.")));
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
