// SPDX-License-Identifier: Apache-2.0
#include "controllers/effective.h"

#include <algorithm>
#include <set>

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "controllers/config.h"
#include "crds/capabilities.h"
#include "crds/plugin_lists.h"
#include "crds/validation.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/plugins/permissions.h"

namespace berth::controllers {
namespace {

using scheduler::ExtensionPoint;

// A plugin whose weight is this many times the sum of all others decides alone: the other scores, 0
// to 100 each, only break its ties.
constexpr int64_t kDominanceFactor = 100;

crds::PluginStatus& StatusOf(std::vector<crds::PluginStatus>& plugins, const std::string& name) {
  const auto found = std::ranges::find(plugins, name, &crds::PluginStatus::name);
  if (found != plugins.end()) return *found;
  return plugins.emplace_back(crds::PluginStatus{.name = name});
}

const json::Raw& ArgsOf(const std::string& plugin, const crds::SchedulerProfile& profile) {
  static const json::Raw kNone;
  const auto& configs = profile.spec.plugin_config;
  const auto found = std::ranges::find(configs, plugin, &api::PluginConfig::name);
  return found == configs.end() ? kNone : found->args;
}

// Returns the permissions for selecting the pods of the extenders.
std::vector<api::PluginPermission> PermissionsOf(const std::vector<crds::Extender>& extenders) {
  const bool by_namespace = std::ranges::any_of(extenders, [](const crds::Extender& extender) {
    return extender.namespace_selector.has_value();
  });
  scheduler::ObjectKindSet kinds;
  if (by_namespace) kinds.Add(scheduler::ObjectKind::kNamespace);
  return scheduler::ReadPermissions(kinds);
}

std::vector<std::string> CapabilitiesOf(const std::vector<crds::PluginStatus>& plugins,
                                        const crds::SchedulerProfile& profile,
                                        const crds::PluginCatalogueView& catalogue) {
  std::set<std::string> capabilities = {std::string(api::kBaseCapability)};
  for (const crds::PluginStatus& plugin : plugins) {
    const crds::PluginView* known = catalogue.Find(plugin.name);
    if (!known) continue;
    const auto permissions = known->PermissionsWith(ArgsOf(plugin.name, profile));
    for (const api::PluginPermission& permission : permissions) {
      capabilities.emplace(permission.capability);
    }
  }
  for (const api::PluginPermission& permission : PermissionsOf(profile.spec.extenders)) {
    capabilities.emplace(permission.capability);
  }
  return {capabilities.begin(), capabilities.end()};
}

// Returns the plugins that the profile names. How another program merges them with its own is
// unknown.
std::vector<crds::PluginStatus> NamedPlugins(const api::Plugins& plugins) {
  std::vector<crds::PluginStatus> named;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    for (const api::Plugin& entry : (plugins.*point.set).enabled) {
      crds::PluginStatus& status = StatusOf(named, entry.name);
      status.points.emplace_back(point.name);
      status.weight = std::max(status.weight, entry.weight);
      status.reason = "PluginsNotVerified";
    }
  }
  return named;
}

// NeededFilter is a filter without which pods are placed on nodes that they cannot run on.
struct NeededFilter {
  std::string_view plugin;
  std::string_view without;  // what happens to pods
};

constexpr NeededFilter kNeededFilters[] = {
    {"NodeResourcesFit",
     "pods are placed on nodes without room for their requests, and the kubelet rejects them"},
    {"NodeUnschedulable", "pods are placed on cordoned nodes, also while these are drained"},
    {"TaintToleration", "pods are placed on nodes with taints that they do not tolerate"}};

void AddFilterWarnings(const crds::SchedulerProfileSpec& spec,
                       const crds::PluginCatalogueView& catalogue,
                       std::vector<api::FieldWarning>& warnings) {
  const api::PluginPoint& filter = crds::PointNamed("filter");
  const auto runs = [&](const crds::PluginView& plugin) {
    return plugin.served && plugin.Implements(filter.name) &&
           crds::RunsAt(filter, spec.plugins, plugin);
  };
  if (std::ranges::none_of(catalogue.plugins, runs)) {
    warnings.push_back({"spec.plugins.filter",
                        "no plugin runs: pods are placed on any node, also on full, cordoned and "
                        "tainted ones"});
    return;
  }
  for (const NeededFilter& needed : kNeededFilters) {
    const crds::PluginView* plugin = catalogue.Find(needed.plugin);
    if (plugin == nullptr || runs(*plugin)) continue;
    warnings.push_back({"spec.plugins.filter", std::string(needed.plugin) + " does not run: " +
                                                   std::string(needed.without)});
  }
}

}  // namespace

Result<Effective> EffectiveOf(const crds::SchedulerProfile& profile,
                              const PluginCatalogue& catalogue) {
  Effective effective;
  if (!crds::PluginsAreKnown(profile.spec.engine)) {
    effective.plugins = NamedPlugins(profile.spec.plugins);
    if (profile.spec.engine.IsKubeScheduler()) {
      effective.capabilities = crds::KubeSchedulerCapabilities();
    } else {
      BERTH_TRY(const Effective defaults, EffectiveOf(crds::SchedulerProfile(), catalogue));
      effective.capabilities = defaults.capabilities;
    }
    return effective;
  }
  BERTH_TRY(
      const scheduler::EffectivePlugins expanded,
      scheduler::ExpandPlugins(profile.spec.plugins, catalogue.registry(), profile.metadata.name));
  for (size_t i = 0; i < scheduler::kExtensionPointCount; ++i) {
    const auto point = static_cast<ExtensionPoint>(i);
    for (const std::string& name : expanded.At(point)) {
      crds::PluginStatus& status = StatusOf(effective.plugins, name);
      status.points.emplace_back(scheduler::ToString(point));
      status.ready = true;
    }
  }
  for (const auto& [name, weight] : expanded.weights) {
    StatusOf(effective.plugins, name).weight = static_cast<int32_t>(weight);
  }
  effective.capabilities = CapabilitiesOf(effective.plugins, profile, catalogue.view());
  return effective;
}

std::vector<api::FieldWarning> PluginWarnings(const crds::SchedulerProfile& profile,
                                              const Effective& effective,
                                              const PluginCatalogue& catalogue) {
  std::vector<api::FieldWarning> warnings;
  int64_t total = 0;
  for (const crds::PluginStatus& plugin : effective.plugins) total += plugin.weight;
  for (const crds::PluginStatus& plugin : effective.plugins) {
    const int64_t others = total - plugin.weight;
    if (others > 0 && plugin.weight >= kDominanceFactor * others) {
      warnings.push_back({"", "weight " + std::to_string(plugin.weight) + " of " + plugin.name +
                                  " dominates the other scores, whose weights add up to " +
                                  std::to_string(others) + ": they only break its ties"});
    }
  }
  if (crds::PluginNamesAreKnown(profile.spec.engine)) {
    AddFilterWarnings(profile.spec, crds::CatalogueOf(profile.spec.engine, catalogue.view()),
                      warnings);
  }
  if (!crds::PluginsAreKnown(profile.spec.engine)) return warnings;  // unknown plugins may run too
  for (const api::PluginConfig& config : profile.spec.plugin_config) {
    const std::string path = json::ListEntryPath("spec.pluginConfig", "name", config.name);
    const crds::PluginView* plugin = catalogue.view().Find(config.name);
    const bool runs = std::ranges::find(effective.plugins, config.name,
                                        &crds::PluginStatus::name) != effective.plugins.end();
    if (plugin && !runs) {
      warnings.push_back({path, "the arguments have no effect: the plugin is not enabled"});
    }
    const auto* descriptor = catalogue.registry().Find(config.name);
    if (descriptor == nullptr || !descriptor->warn) continue;
    for (api::FieldWarning& warning : descriptor->warn(config.args)) {
      warnings.push_back({api::Child(path + ".args", warning.path), std::move(warning.text)});
    }
  }
  return warnings;
}

}  // namespace berth::controllers
