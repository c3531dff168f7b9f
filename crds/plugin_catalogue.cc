// SPDX-License-Identifier: Apache-2.0
#include "crds/plugin_catalogue.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::crds {

bool PluginView::Implements(std::string_view point) const {
  return std::find(points.begin(), points.end(), point) != points.end();
}

const PluginView* PluginCatalogueView::Find(std::string_view name) const {
  const auto found = std::find_if(plugins.begin(), plugins.end(),
                                  [name](const PluginView& plugin) { return plugin.name == name; });
  return found == plugins.end() ? nullptr : &*found;
}

std::string PluginCatalogueView::WhyNotServed(const PluginView& plugin) const {
  return std::string(not_served) + (plugin.needs.empty() ? "" : ": " + plugin.needs);
}

std::optional<std::string> PluginCatalogueView::Nearest(std::string_view name) const {
  std::vector<std::string> names;
  names.reserve(plugins.size());
  for (const PluginView& plugin : plugins) names.push_back(plugin.name);
  std::optional<std::string> nearest = NearestName(name, names);
  if (nearest && !Find(*nearest)->served) *nearest += " (" + std::string(not_served) + ")";
  return nearest;
}

PluginCatalogueView OfKubeScheduler(PluginCatalogueView catalogue) {
  for (PluginView& plugin : catalogue.plugins) plugin.served = plugin.is_upstream;
  catalogue.not_served = kNotKubeSchedulers;
  return catalogue;
}

}  // namespace berth::crds
