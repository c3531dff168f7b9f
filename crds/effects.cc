// SPDX-License-Identifier: Apache-2.0
#include "crds/effects.h"

#include <algorithm>

namespace berth::crds {

std::span<const FieldWithoutEffect> FieldsWithoutEffect() {
  static constexpr FieldWithoutEffect kFields[] = {
      {"spec.extenders", [](const SchedulerProfileSpec& spec) { return !spec.extenders.empty(); },
       "extenders are not called in this version"},
      {"spec.assign", [](const SchedulerProfileSpec& spec) { return spec.assign.has_value(); },
       "no pod is assigned in this version: pods have to name the scheduler"},
      {"spec.rollout.strategy",
       [](const SchedulerProfileSpec& spec) { return spec.rollout.strategy == "Restart"; },
       "Restart has no effect in this version: the running scheduler reloads its configuration"},
      {"spec.deletionPolicy",
       [](const SchedulerProfileSpec& spec) { return spec.deletion_policy == "WaitForPending"; },
       "WaitForPending has no effect in this version: deletion does not wait for pending pods"},
  };
  return kFields;
}

std::vector<std::string> Warnings(const SchedulerProfileSpec& spec,
                                  const PluginCatalogueView& catalogue) {
  std::vector<std::string> warnings;
  for (const FieldWithoutEffect& field : FieldsWithoutEffect()) {
    if (field.is_set(spec)) {
      warnings.push_back(std::string(field.path) + ": " + std::string(field.message));
    }
  }
  for (const api::PluginConfig& config : spec.plugin_config) {
    const PluginView* plugin = catalogue.Find(config.name);
    if (plugin != nullptr && !plugin->served) {
      warnings.push_back("spec.pluginConfig[name=" + config.name +
                         "]: the arguments have no effect: the plugin is " +
                         std::string(kNotServed));
    }
  }
  return warnings;
}

std::optional<Refusal> RefusalOf(const SchedulerProfileSpec& spec,
                                 std::span<const std::string> allowed_cluster_roles) {
  if (spec.engine.type != "Berth") {
    return Refusal{kEngineNotSupported, "spec.engine.type: " + spec.engine.type +
                                            " is not supported by this version; supported: Berth"};
  }
  for (const std::string& role : spec.engine.cluster_roles) {
    if (std::find(allowed_cluster_roles.begin(), allowed_cluster_roles.end(), role) ==
        allowed_cluster_roles.end()) {
      return Refusal{kClusterRoleNotAllowed,
                     "spec.engine.clusterRoles: " + role +
                         " is not on the operator's list of allowed ClusterRoles"};
    }
  }
  return std::nullopt;
}

}  // namespace berth::crds
