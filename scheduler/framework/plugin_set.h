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

// EffectivePlugins is what a profile comes to after its plugin lists were merged with the defaults
// and MultiPoint was expanded: the names at each point, in the order they run. The operator shows
// it in status; Profile builds it.
struct EffectivePlugins {
  std::array<std::vector<std::string>, kExtensionPointCount> points;
  struct Weight {
    std::string plugin;
    int64_t weight;
  };
  std::vector<Weight> weights;  // of the score plugins, in the order of their point

  const std::vector<std::string>& At(ExtensionPoint point) const {
    return points[static_cast<size_t>(point)];
  }
  int64_t WeightOf(std::string_view plugin) const;  // 0 when it does not score
};

// MergeWithDefaults applies a profile's `plugins` to the default MultiPoint list, per point and for
// multiPoint itself. Source: kube-scheduler pkg/scheduler/apis/config/v1/default_plugins.go,
// mergePlugins.
api::Plugins MergeWithDefaults(const api::Plugins& custom);

// DefaultPluginSet is upstream's default MultiPoint list.
api::PluginSet DefaultPluginSet();

// ExpandPlugins turns the merged lists into what runs at each point. A plugin behind a feature gate
// is an error that says which: "X is not served by this version: ...". Other errors are
// kube-scheduler's, with the path of the entry and, where a name is unknown, the nearest one. Source:
// kube-scheduler pkg/scheduler/framework/runtime/framework.go, NewFramework and
// expandMultiPointPlugins.
Result<EffectivePlugins> ExpandPlugins(const api::Plugins& custom, const Registry& registry,
                                       std::string_view scheduler_name);

}  // namespace berth::scheduler
