// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "base/error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/registry.h"

namespace berth::scheduler {

// EffectivePlugins are the plugins of a profile after its lists were merged with the defaults and
// MultiPoint was expanded: the names at each point, in the order they run. The operator shows them
// in the status; Profile builds them.
struct EffectivePlugins {
  std::array<std::vector<std::string>, kExtensionPointCount> points;
  struct Weight {
    std::string plugin;
    int64_t weight;
  };
  std::vector<Weight> weights;  // of the Score plugins, in the order they run

  const std::vector<std::string>& At(ExtensionPoint point) const {
    return points[static_cast<size_t>(point)];
  }
  int64_t WeightOf(std::string_view plugin) const;  // 0 if the plugin does not score
};

// Merges a profile's `plugins` with the default MultiPoint list, per point and for multiPoint
// itself. Source: kube-scheduler pkg/scheduler/apis/config/v1/default_plugins.go, mergePlugins.
api::Plugins MergeWithDefaults(const api::Plugins& custom);

// Returns upstream's default MultiPoint list.
api::PluginSet DefaultPluginSet();

// Returns the plugins at each point after merging and expanding. Returns an error for a plugin
// behind a feature gate: "X is not served by this version: ...". Other errors are kube-scheduler's,
// with the path of the entry and, for an unknown name, the nearest known one. Source:
// kube-scheduler pkg/scheduler/framework/runtime/framework.go, NewFramework and
// expandMultiPointPlugins.
Result<EffectivePlugins> ExpandPlugins(const api::Plugins& custom, const Registry& registry,
                                       std::string_view scheduler_name);

}  // namespace berth::scheduler
