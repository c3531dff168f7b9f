// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/type.h"
#include "controllers/argument_reference.h"
#include "controllers/plugin_catalogue.h"

// The reference of the plugins. `berth plugins` prints it as text, JSON and YAML, and
// docs/plugins.md is generated from it. Field names are stable; fields may be added.
namespace berth::controllers {

// EventReference is an event that requeues a pod rejected by the plugin.
struct EventReference {
  std::string resource;              // "Node", "storage.k8s.io/CSINode"; "*": any
  std::vector<std::string> changes;  // "Add", "UpdateNodeLabel": as in metrics
  std::string why;

  static const json::Type& JsonType();
};

// PermissionReference is one RBAC rule that a scheduler gets with the plugin.
struct PermissionReference {
  std::string cluster_role;  // the shipped role with this rule: "berth:preemption"
  std::string group;         // "" is the core group
  std::string resource;
  std::vector<std::string> verbs;

  static const json::Type& JsonType();
};

struct PluginReference {
  std::string name;
  std::string summary;
  std::string origin;  // "kube-scheduler" or "berth"
  bool served = false;
  bool in_default_profile = false;
  int32_t default_weight = 0;  // score weight in the default profile; 0: none stated
  std::vector<std::string> points;
  std::vector<ArgumentReference> arguments;
  std::vector<EventReference> events;
  std::vector<PermissionReference> permissions;  // in addition to the base permissions
  std::string example;                           // part of a profile's spec, YAML
  std::string manual;                            // names that its expressions may use; text

  static const json::Type& JsonType();
};

// PluginReferences holds all plugins in the order of the catalogue.
struct PluginReferences {
  std::vector<PluginReference> plugins;

  static const json::Type& JsonType();
};

// Describes one plugin. For a plugin that is not served, only name, origin, points and its place in
// the default profile are known. Requires: `view` is in the catalogue.
PluginReference ReferenceOf(const crds::PluginView& view, const PluginCatalogue& catalogue);

PluginReferences ReferencesOf(const PluginCatalogue& catalogue);

}  // namespace berth::controllers
