// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/plugin_set.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/strings.h"

namespace berth::scheduler {
namespace {

template <class Entry>
bool Lists(const std::vector<Entry>& plugins, std::string_view name) {
  return std::any_of(plugins.begin(), plugins.end(),
                     [&](const Entry& plugin) { return plugin.name == name; });
}

bool IsDisabled(const api::PluginSet& set, std::string_view name) {
  return Lists(set.disabled, "*") || Lists(set.disabled, name);
}

bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const api::PluginSet& SetAt(const api::Plugins& plugins, ExtensionPoint point) {
  const auto found = std::find_if(api::kPluginPoints.begin(), api::kPluginPoints.end(),
                                  [&](const auto& each) { return each.name == ToString(point); });
  return plugins.*found->set;
}

api::PluginSet Merge(const api::PluginSet& defaults, const api::PluginSet& custom) {
  api::PluginSet merged;
  merged.disabled = custom.disabled;
  merged.disabled.insert(merged.disabled.end(), defaults.disabled.begin(), defaults.disabled.end());

  // If a name is listed twice, its last entry replaces the default.
  std::map<std::string_view, size_t> last;
  for (size_t i = 0; i < custom.enabled.size(); ++i) last[custom.enabled[i].name] = i;
  std::set<size_t> used;
  for (const api::Plugin& plugin : defaults.enabled) {
    if (IsDisabled(merged, plugin.name)) continue;
    const auto replacement = last.find(plugin.name);
    if (replacement == last.end()) {
      merged.enabled.push_back(plugin);
    } else {
      merged.enabled.push_back(custom.enabled[replacement->second]);
      used.insert(replacement->second);
    }
  }
  for (size_t i = 0; i < custom.enabled.size(); ++i) {
    if (!used.contains(i)) merged.enabled.push_back(custom.enabled[i]);
  }
  return merged;
}

std::string Suggestion(std::string_view name, const Registry& registry) {
  std::vector<std::string> known = registry.Names();
  for (const UpstreamPlugin& plugin : UpstreamPlugins()) {
    if (!Holds(known, plugin.name)) known.emplace_back(plugin.name);
  }
  return NearestHint(NearestName(name, known),
                     "; served by this version: " + Join(registry.Names(), ", "));
}

// Expansion implements ExpandPlugins.
class Expansion {
 public:
  Expansion(const api::Plugins& merged, const Registry& registry)
      : merged_(merged), registry_(registry) {}

  Result<void> AddSpecific(ExtensionPoint point);
  Result<void> AddMultiPoint(ExtensionPoint point);
  Result<void> CheckCounts(std::string_view scheduler_name) const;
  void AddWeights();

  EffectivePlugins effective;

 private:
  std::vector<std::string>& At(ExtensionPoint point) {
    return effective.points[static_cast<size_t>(point)];
  }
  Failure Unknown(ExtensionPoint point, std::string_view field, size_t i,
                  std::string_view name) const {
    return ConfigError("plugins." + std::string(field) + ".enabled[" + std::to_string(i) +
                       "]: " + std::string(InterfaceOf(point)) + " " + Quote(name) +
                       " does not exist" + Suggestion(name, registry_));
  }
  static Failure Twice(ExtensionPoint point, std::string_view field, size_t i,
                       std::string_view name) {
    return ConfigError("plugins." + std::string(field) + ".enabled[" + std::to_string(i) +
                       "]: plugin " + Quote(name) + " already registered as " +
                       Quote(InterfaceOf(point)));
  }

  const api::Plugins& merged_;
  const Registry& registry_;
};

Result<void> Expansion::AddSpecific(ExtensionPoint point) {
  const auto& enabled = SetAt(merged_, point).enabled;
  for (size_t i = 0; i < enabled.size(); ++i) {
    const std::string& name = enabled[i].name;
    const PluginDescriptor* plugin = registry_.Find(name);
    if (plugin == nullptr) return Unknown(point, ToString(point), i, name);
    if (!plugin->points.Has(point)) {
      return ConfigError("plugins." + std::string(ToString(point)) + ".enabled[" +
                         std::to_string(i) + "]: plugin " + Quote(name) + " does not extend " +
                         std::string(InterfaceOf(point)) + " plugin");
    }
    if (Holds(At(point), name)) return Twice(point, ToString(point), i, name);
    At(point).push_back(name);
  }
  return {};
}

// The order at a point is: specific entries that multiPoint also lists, in specific order; the
// other multiPoint entries; the other specific entries.
Result<void> Expansion::AddMultiPoint(ExtensionPoint point) {
  const api::PluginSet& set = SetAt(merged_, point);
  if (Lists(set.disabled, "*")) return {};
  const std::vector<std::string> specific = At(point);
  std::set<std::string_view> overrides;
  std::vector<std::string> added;
  const auto& enabled = merged_.multi_point.enabled;
  for (size_t i = 0; i < enabled.size(); ++i) {
    const std::string& name = enabled[i].name;
    const PluginDescriptor* plugin = registry_.Find(name);
    if (plugin == nullptr) return Unknown(point, "multiPoint", i, name);
    if (!plugin->points.Has(point) || Lists(set.disabled, name)) continue;
    if (Holds(specific, name)) {
      overrides.insert(name);
    } else if (Holds(added, name)) {
      return Twice(point, "multiPoint", i, name);
    } else {
      added.push_back(name);
    }
  }
  std::vector<std::string> ordered;
  for (const std::string& name : specific) {
    if (overrides.contains(name)) ordered.push_back(name);
  }
  ordered.insert(ordered.end(), added.begin(), added.end());
  for (const std::string& name : specific) {
    if (!overrides.contains(name)) ordered.push_back(name);
  }
  At(point) = std::move(ordered);
  return {};
}

Result<void> Expansion::CheckCounts(std::string_view scheduler_name) const {
  const std::string profile = "for profile with scheduler name " + Quote(scheduler_name);
  const size_t sorts = effective.At(ExtensionPoint::kQueueSort).size();
  if (sorts != 1) {
    return ConfigError("only one queue sort plugin required " + profile + ", but got " +
                       std::to_string(sorts));
  }
  if (effective.At(ExtensionPoint::kBind).empty()) {
    return ConfigError("at least one bind plugin is needed " + profile);
  }
  if (effective.At(ExtensionPoint::kPlacementGenerate).size() > 1) {
    return ConfigError("at most one placement generate plugin is allowed " + profile);
  }
  return {};
}

// The sum of the weights cannot overflow: they have 32 bits, and lists are short.
void Expansion::AddWeights() {
  const auto weight_of = [&](const std::string& name) -> int64_t {
    for (const auto* set : {&merged_.score, &merged_.multi_point}) {
      for (const api::Plugin& plugin : set->enabled) {
        if (plugin.name == name) return plugin.weight == 0 ? 1 : plugin.weight;
      }
    }
    return 1;
  };
  for (const std::string& name : effective.At(ExtensionPoint::kScore)) {
    effective.weights.push_back({name, weight_of(name)});
  }
}

// Returns an error if the profile itself enables an upstream plugin that this version lacks.
Result<void> RejectUnserved(const api::Plugins& custom, const Registry& registry) {
  for (const api::PluginPoint& point : api::kPluginPoints) {
    const auto& enabled = (custom.*point.set).enabled;
    for (size_t i = 0; i < enabled.size(); ++i) {
      if (!IsUnserved(enabled[i].name, registry)) continue;
      const std::string needed = GatesNeeded(*FindUpstream(enabled[i].name));
      return ConfigError("plugins." + std::string(point.name) + ".enabled[" + std::to_string(i) +
                         "]: " + enabled[i].name + " is not served by this version" +
                         (needed.empty() ? "" : ": " + needed) + "; served are " +
                         Join(registry.Names(), ", "));
    }
  }
  return {};
}

}  // namespace

int64_t EffectivePlugins::WeightOf(std::string_view plugin) const {
  const auto found = std::find_if(weights.begin(), weights.end(),
                                  [&](const Weight& each) { return each.plugin == plugin; });
  return found == weights.end() ? 0 : found->weight;
}

api::PluginSet DefaultPluginSet() {
  api::PluginSet defaults;
  for (const UpstreamPlugin& plugin : UpstreamPlugins()) {
    if (plugin.IsDefault()) defaults.enabled.push_back({std::string(plugin.name), plugin.weight});
  }
  return defaults;
}

api::Plugins MergeWithDefaults(const api::Plugins& custom) {
  api::Plugins merged;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    merged.*point.set = Merge({}, custom.*point.set);
  }
  merged.multi_point = Merge(DefaultPluginSet(), custom.multi_point);
  return merged;
}

Result<EffectivePlugins> ExpandPlugins(const api::Plugins& custom, const Registry& registry,
                                       std::string_view scheduler_name) {
  BERTH_TRY_VOID(RejectUnserved(custom, registry));
  const api::Plugins merged = MergeWithDefaults(custom);
  Expansion expansion(merged, registry);
  for (size_t i = 0; i < kExtensionPointCount; ++i) {
    BERTH_TRY_VOID(expansion.AddSpecific(static_cast<ExtensionPoint>(i)));
  }
  for (size_t i = 0; i < kExtensionPointCount; ++i) {
    BERTH_TRY_VOID(expansion.AddMultiPoint(static_cast<ExtensionPoint>(i)));
  }
  BERTH_TRY_VOID(expansion.CheckCounts(scheduler_name));
  expansion.AddWeights();
  return std::move(expansion.effective);
}

}  // namespace berth::scheduler
