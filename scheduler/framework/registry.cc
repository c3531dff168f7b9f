// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/registry.h"

#include <algorithm>

namespace berth::scheduler {

const PluginDescriptor* Registry::Find(std::string_view name) const {
  const auto found = std::find_if(plugins_.begin(), plugins_.end(),
                                  [&](const PluginDescriptor& each) { return each.name == name; });
  return found == plugins_.end() ? nullptr : &*found;
}

std::vector<std::string> Registry::Names() const {
  std::vector<std::string> names;
  for (const PluginDescriptor& plugin : plugins_) names.emplace_back(plugin.name);
  return names;
}

const UpstreamPlugin* FindUpstream(std::string_view name) {
  const auto all = UpstreamPlugins();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const UpstreamPlugin& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string GatesNeeded(const UpstreamPlugin& plugin) {
  if (plugin.gates.empty()) return "";
  return "in kube-scheduler it needs feature gates that are off by default: " +
         std::string(plugin.gates);
}

bool IsUnserved(std::string_view name, const Registry& registry) {
  return registry.Find(name) == nullptr && FindUpstream(name) != nullptr;
}

}  // namespace berth::scheduler
