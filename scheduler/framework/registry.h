// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// UpstreamPlugin is one of kube-scheduler 1.37's 24 plugins, served by this version or not.
// Source: kube-scheduler pkg/scheduler/framework/plugins/registry.go, NewInTreeRegistry;
// pkg/scheduler/apis/config/v1/default_plugins.go, getDefaultPlugins.
struct UpstreamPlugin {
  std::string_view name;
  PointSet points;
  int32_t weight;  // in the default MultiPoint list; 0 = not set
  // The feature gates that enable it, all off by default; empty: the plugin is in the default list.
  std::string_view gates = {};
  // Whether Berth enables the plugin by default in spite of its gates: it has no effect unless the
  // API server serves its kinds.
  bool follows_api = false;

  bool IsDefault() const { return gates.empty() || follows_api; }
};

// Returns the plugins in the order of the default MultiPoint list, followed by those not in it.
std::span<const UpstreamPlugin> UpstreamPlugins();
// Returns nullptr if upstream has no plugin with that name.
const UpstreamPlugin* FindUpstream(std::string_view name);

// Registry holds the plugins of this build. Immutable. scheduler/plugins/registry.h creates the
// shipped one; tests create their own.
class Registry {
 public:
  explicit Registry(std::vector<PluginDescriptor> plugins) : plugins_(std::move(plugins)) {}

  const PluginDescriptor* Find(std::string_view name) const;
  std::span<const PluginDescriptor> plugins() const { return plugins_; }
  std::vector<std::string> Names() const;  // in listed order

 private:
  std::vector<PluginDescriptor> plugins_;
};

// Reports whether `name` is an upstream plugin that is not in `registry`.
bool IsUnserved(std::string_view name, const Registry& registry);
// Returns a sentence with the feature gates that such a plugin needs; empty if it needs none.
std::string GatesNeeded(const UpstreamPlugin& plugin);

}  // namespace berth::scheduler
