// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// UpstreamPlugin is one of kube-scheduler 1.36's 23 plugins, whether this version serves it or not.
// Source: kube-scheduler pkg/scheduler/framework/plugins/registry.go, NewInTreeRegistry;
// pkg/scheduler/apis/config/v1/default_plugins.go, getDefaultPlugins.
struct UpstreamPlugin {
  std::string_view name;
  PointSet points;
  int32_t weight;  // in the default MultiPoint list; 0 = none given
  // The feature gates without which it does not run, all of them alpha and off by default; empty: it
  // is in the default list.
  std::string_view gates = {};
};

// UpstreamPlugins lists them in the order of the default MultiPoint list, those that are not in it
// last.
std::span<const UpstreamPlugin> UpstreamPlugins();
// FindUpstream is nullptr when upstream has no plugin of that name.
const UpstreamPlugin* FindUpstream(std::string_view name);

// Registry is the plugins this build serves. Immutable once made; scheduler/plugins/registry.h
// makes the one that is shipped, tests make their own.
class Registry {
 public:
  explicit Registry(std::vector<PluginDescriptor> plugins) : plugins_(std::move(plugins)) {}

  const PluginDescriptor* Find(std::string_view name) const;
  std::span<const PluginDescriptor> plugins() const { return plugins_; }
  std::vector<std::string> Names() const;  // in listed order

 private:
  std::vector<PluginDescriptor> plugins_;
};

// IsUnserved says that `name` is upstream's, but not in `registry`: known, and not served by this
// version.
bool IsUnserved(std::string_view name, const Registry& registry);
// GatesNeeded says in words what such a plugin needs; empty where it is not behind a gate.
std::string GatesNeeded(const UpstreamPlugin& plugin);

}  // namespace berth::scheduler
