// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iomanip>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "controllers/plugin_catalogue.h"
#include "operator/commands/args_text.h"
#include "operator/commands/command.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kPluginsHelp =
    "List the plugins that profiles can enable; with a NAME, show one: where it runs, its\n"
    "arguments, the events that wake pods it refused, and the permissions its scheduler gets.";

std::string_view KindOf(scheduler::Resource resource) {
  switch (resource) {
    case scheduler::Resource::kWildcard:
      return "any object";
    case scheduler::Resource::kPod:
      return "Pod";
    case scheduler::Resource::kNode:
      return "Node";
    case scheduler::Resource::kPersistentVolume:
      return "PersistentVolume";
    case scheduler::Resource::kPersistentVolumeClaim:
      return "PersistentVolumeClaim";
    case scheduler::Resource::kCsiNode:
      return "CSINode";
    case scheduler::Resource::kCsiDriver:
      return "CSIDriver";
    case scheduler::Resource::kVolumeAttachment:
      return "VolumeAttachment";
    case scheduler::Resource::kCsiStorageCapacity:
      return "CSIStorageCapacity";
    case scheduler::Resource::kStorageClass:
      return "StorageClass";
    case scheduler::Resource::kResourceClaim:
      return "ResourceClaim";
    case scheduler::Resource::kResourceSlice:
      return "ResourceSlice";
    case scheduler::Resource::kDeviceClass:
      return "DeviceClass";
    case scheduler::Resource::kPodGroup:
      return "PodGroup";
    case scheduler::Resource::kAssignedPod:
      return "Pod with a node";
    case scheduler::Resource::kUnschedulablePod:
      return "pending Pod";
  }
  return "";
}

int Width(const crds::PluginCatalogueView& view) {
  size_t width = 0;
  for (const crds::PluginView& plugin : view.plugins) width = std::max(width, plugin.name.size());
  return static_cast<int>(width) + 3;
}

void PrintList(const controllers::PluginCatalogue& catalogue, std::ostream& out) {
  const int width = Width(catalogue.view());
  out << std::left << std::setw(width) << "NAME" << std::setw(9) << "DEFAULT" << std::setw(8)
      << "WEIGHT" << std::setw(8) << "SERVED"
      << "POINTS\n";
  for (const crds::PluginView& plugin : catalogue.view().plugins) {
    out << std::left << std::setw(width) << plugin.name << std::setw(9)
        << (plugin.in_default_profile ? "yes" : "no") << std::setw(8)
        << (plugin.default_weight ? std::to_string(plugin.default_weight) : "-") << std::setw(8)
        << (plugin.served ? "yes" : "no") << Join(plugin.points, ",") << "\n";
  }
}

void PrintServed(const scheduler::PluginDescriptor& descriptor, const crds::PluginView& view,
                 std::ostream& out) {
  out << descriptor.name << ": " << descriptor.summary << "\n\n"
      << "Points:  " << Join(view.points, ", ") << "\n"
      << "Default: " << (view.in_default_profile ? "in the default profile" : "not enabled");
  if (view.default_weight) out << ", weight " << view.default_weight;
  out << "\n\nArguments:\n" << (descriptor.args ? ArgsText(*descriptor.args) : "  none\n");
  out << "\nEvents that may help a pod it refused:\n";
  if (descriptor.events.empty()) out << "  none\n";
  for (const scheduler::EventInterest& event : descriptor.events) {
    out << "  " << KindOf(event.resource) << ": " << event.why << "\n";
  }
  out << "\nPermissions:\n";
  if (view.permissions.empty()) out << "  none beyond those of every scheduler\n";
  for (const api::PluginPermission& permission : view.permissions) {
    out << "  berth:" << permission.capability << ": " << Join(Split(permission.verbs, ','), ", ")
        << " " << permission.resource << (permission.group.empty() ? "" : ".") << permission.group
        << "\n";
  }
  if (!descriptor.example.empty()) out << "\nExample:\n" << Indented(descriptor.example) << "\n";
}

Result<int> Show(const std::string& name, Program& program) {
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  if (name.empty()) {
    PrintList(catalogue, program.out);
    return kExitSuccess;
  }
  const crds::PluginView* view = catalogue.view().Find(name);
  if (!view) {
    const auto nearest = catalogue.view().Nearest(name);
    return ConfigError(
        "unknown plugin \"" + name + "\"" +
        (nearest ? "; nearest: " + *nearest : "; `" + program.name + " plugins` lists all"));
  }
  if (const auto* descriptor = catalogue.registry().Find(name)) {
    PrintServed(*descriptor, *view, program.out);
  } else {
    program.out << name << " is a plugin of kube-scheduler, "
                << catalogue.view().WhyNotServed(*view) << ".\n\n"
                << "Points:  " << Join(view->points, ", ") << "\n"
                << "Default: "
                << (view->in_default_profile ? "in the default profile" : "not enabled") << "\n";
  }
  return kExitSuccess;
}

}  // namespace

Command PluginsCommand(Program& program) {
  auto name = std::make_shared<std::string>();
  return {.line = {.name = "plugins",
                   .help = kPluginsHelp,
                   .flags = {{.name = "NAME", .target = name.get(), .help = "A plugin"}},
                   .footer = "Examples:\n  " + program.name + " plugins\n  " + program.name +
                             " plugins NodeResourcesFit"},
          .run = [name, &program] { return Show(*name, program); }};
}

}  // namespace berth::operator_
