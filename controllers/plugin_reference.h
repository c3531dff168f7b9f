// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/type.h"
#include "controllers/argument_reference.h"
#include "controllers/plugin_catalogue.h"

// What there is to say of plugins, for people and programs: `berth plugins` prints it as text, JSON
// and YAML, and docs/plugins.md is made of it. The names of the fields stay as they are; others may
// come.
namespace berth::controllers {

// EventReference is an event that may help a pod that the plugin refused.
struct EventReference {
  std::string resource;              // "Node", "storage.k8s.io/CSINode"; "*": any
  std::vector<std::string> changes;  // "Add", "UpdateNodeLabel": words of the scheduler's metrics
  std::string why;

  static const json::Type& JsonType();
};

// PermissionReference is one rule of what a scheduler gets with the plugin.
struct PermissionReference {
  std::string cluster_role;  // the shipped one that has it: "berth:preemption"
  std::string group;         // "" is the core group
  std::string resource;
  std::vector<std::string> verbs;

  static const json::Type& JsonType();
};

struct PluginReference {
  std::string name;
  std::string summary;
  std::string origin;  // whose plugin it is: "kube-scheduler" or "berth"
  bool served = false;
  bool in_default_profile = false;
  int32_t default_weight = 0;  // of its scores in the default profile; 0: none stated
  std::vector<std::string> points;
  std::vector<ArgumentReference> arguments;
  std::vector<EventReference> events;
  std::vector<PermissionReference> permissions;  // beyond those of every scheduler
  std::string example;                           // what a profile's spec may have, YAML
  std::string manual;                            // what its arguments may name; text

  static const json::Type& JsonType();
};

// PluginReferences is all of them, in the order of the catalogue.
struct PluginReferences {
  std::vector<PluginReference> plugins;

  static const json::Type& JsonType();
};

// ReferenceOf describes one plugin. Of one that is not served only name, origin, points and what the
// default profile makes of it are known. Requires: the catalogue has `view`.
PluginReference ReferenceOf(const crds::PluginView& view, const PluginCatalogue& catalogue);

PluginReferences ReferencesOf(const PluginCatalogue& catalogue);

}  // namespace berth::controllers
