// SPDX-License-Identifier: Apache-2.0
#include "convert/draft.h"

#include <algorithm>

#include "base/check.h"
#include "crds/plugin_lists.h"

namespace berth::convert {

json::Raw& ArgsOf(crds::SchedulerProfileSpec& spec, std::string_view plugin) {
  auto& configs = spec.plugin_config;
  const auto found = std::ranges::find(configs, plugin, &api::PluginConfig::name);
  if (found != configs.end()) return found->args;
  return configs.emplace_back(api::PluginConfig{.name = std::string(plugin)}).args;
}

void SetMember(json::Raw& object, const std::string& name, json::Raw value) {
  Members members;
  if (!object.text.empty() && object.text != "null") {
    auto decoded = json::Decode<Members>(object.text);
    BERTH_CHECK(decoded.has_value(), "SetMember requires an object");
    members = std::move(*decoded);
  }
  members[name] = std::move(value);
  object.text = json::Encode(members);
}

json::Raw DefaultResources() {
  return {R"([{"name":"cpu","weight":1},{"name":"memory","weight":1}])"};
}

json::Raw ScoringStrategy(std::string_view type, const json::Raw& resources,
                          const json::Raw& shape) {
  json::Raw strategy;
  SetMember(strategy, "type", {json::Quoted(type)});
  SetMember(strategy, "resources", resources.text.empty() ? DefaultResources() : resources);
  if (!shape.text.empty()) {
    json::Raw ratio;
    SetMember(ratio, "shape", shape);
    SetMember(strategy, "requestedToCapacityRatio", std::move(ratio));
  }
  return strategy;
}

void AppendOnce(std::vector<api::Plugin>& list, std::string_view name, int32_t weight) {
  if (!crds::Lists(list, name)) list.push_back({std::string(name), weight});
}

void AppendOnce(std::vector<api::DisabledPlugin>& list, std::string_view name) {
  if (!crds::Lists(list, name)) list.push_back({.name = std::string(name)});
}

}  // namespace berth::convert
