// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/scheduler_config.h"
#include "crds/plugin_catalogue.h"

// Evaluates a profile's plugin lists for one plugin, without validating the rest of the profile.
// Source: kube-scheduler pkg/scheduler/apis/config/v1/default_plugins.go, mergePlugins;
// pkg/scheduler/framework/runtime/framework.go, expandMultiPointPlugins.
namespace berth::crds {

inline constexpr std::string_view kMultiPoint = "multiPoint";
inline constexpr std::string_view kAllPlugins = "*";

// Returns the path of an entry in messages: "spec.plugins.score.enabled[name=NodeAffinity]".
std::string EntryPath(const api::PluginPoint& point, std::string_view list, std::string_view name);

// Returns the plugin set of a point. Requires: `name` is one of api::kPluginPoints.
const api::PluginPoint& PointNamed(std::string_view name);

// Reports whether a list names the plugin.
template <class Entry>
bool Lists(const std::vector<Entry>& list, std::string_view name) {
  return std::ranges::find(list, name, &Entry::name) != list.end();
}

// Reports whether a set disables the plugin, by name or with *.
bool IsDisabled(const api::PluginSet& set, std::string_view name);

// Reports whether multiPoint, or the default profile below it, enables the plugin at all points
// that it implements, except those that disable it. `disabled` of multiPoint removes plugins of the
// default profile only, not those that multiPoint itself enables.
bool ComesWithMultiPoint(const api::Plugins& plugins, const PluginView& plugin);

// Reports whether the plugin runs at the point. Requires: the plugin implements the point.
bool RunsAt(const api::PluginPoint& point, const api::Plugins& plugins, const PluginView& plugin);

}  // namespace berth::crds
