// SPDX-License-Identifier: Apache-2.0
#include "crds/plugin_lists.h"

#include "base/json/field_path.h"

namespace berth::crds {

std::string EntryPath(const api::PluginPoint& point, std::string_view list, std::string_view name) {
  return json::ListEntryPath("spec.plugins." + std::string(point.name) + "." + std::string(list),
                             "name", name);
}

const api::PluginPoint& PointNamed(std::string_view name) {
  return *std::ranges::find(api::kPluginPoints, name, &api::PluginPoint::name);
}

bool IsDisabled(const api::PluginSet& set, std::string_view name) {
  return Lists(set.disabled, name) || Lists(set.disabled, kAllPlugins);
}

bool ComesWithMultiPoint(const api::Plugins& plugins, const PluginView& plugin) {
  const api::PluginSet& multi = plugins.multi_point;
  return Lists(multi.enabled, plugin.name) ||
         (plugin.in_default_profile && !IsDisabled(multi, plugin.name));
}

bool RunsAt(const api::PluginPoint& point, const api::Plugins& plugins, const PluginView& plugin) {
  const api::PluginSet& own = plugins.*point.set;
  return Lists(own.enabled, plugin.name) ||
         (ComesWithMultiPoint(plugins, plugin) && !IsDisabled(own, plugin.name));
}

}  // namespace berth::crds
