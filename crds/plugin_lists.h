// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/scheduler_config.h"
#include "crds/plugin_catalogue.h"

// What a profile's lists of plugins say of one plugin, before it is looked at whether the rest of
// the profile makes sense. Source: kube-scheduler pkg/scheduler/apis/config/v1/default_plugins.go,
// mergePlugins; pkg/scheduler/framework/runtime/framework.go, expandMultiPointPlugins.
namespace berth::crds {

inline constexpr std::string_view kMultiPoint = "multiPoint";
inline constexpr std::string_view kAllPlugins = "*";

// EntryPath is how messages name an entry: "spec.plugins.score.enabled[name=NodeAffinity]".
std::string EntryPath(const api::PluginPoint& point, std::string_view list, std::string_view name);

// PointNamed finds a set of plugins. Requires: `name` is one of api::kPluginPoints.
const api::PluginPoint& PointNamed(std::string_view name);

// Lists says that a list names the plugin.
template <class Entry>
bool Lists(const std::vector<Entry>& list, std::string_view name) {
  return std::ranges::find(list, name, &Entry::name) != list.end();
}

// IsDisabled says that a set disables the plugin, by its name or with all others.
bool IsDisabled(const api::PluginSet& set, std::string_view name);

// ComesWithMultiPoint says that multiPoint, or the default profile that it stands on, has the plugin
// run at each point that it implements, but for those that disable it. `disabled` of multiPoint
// takes away from the default profile only, not from what multiPoint itself enables.
bool ComesWithMultiPoint(const api::Plugins& plugins, const PluginView& plugin);

// RunsAt says that the plugin takes effect at the point. Requires: the plugin implements it.
bool RunsAt(const api::PluginPoint& point, const api::Plugins& plugins, const PluginView& plugin);

}  // namespace berth::crds
