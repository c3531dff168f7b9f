// SPDX-License-Identifier: Apache-2.0
#include "extender/entry.h"

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace berth::extender {
namespace {

using scheduler::Epoch;
using scheduler::ExtensionPoint;
using scheduler::ObjectKind;
using scheduler::ObjectKindSet;
using scheduler::PluginDescriptor;

json::Raw ArgsOf(const ServedExtender& config, std::string_view plugin) {
  for (const api::PluginConfig& each : config.plugin_config) {
    if (each.name == plugin) return each.args;
  }
  return {};
}

// Returns the kinds of objects that a plugin reads besides the pod and the node.
std::vector<std::string> KindsRead(const PluginDescriptor& plugin, const json::Raw& args) {
  std::vector<std::string> reads;
  const bool reads_pods =
      plugin.depends_on.empty() || std::ranges::count(plugin.depends_on, Epoch::kNodePods) > 0;
  if (reads_pods) reads.emplace_back("pods");
  plugin.ReadsWith(args).ForEach(
      [&reads](ObjectKind kind) { reads.emplace_back(scheduler::ToString(kind)); });
  return reads;
}

}  // namespace

std::vector<std::string> Entry::WhyClusterIsNeeded(const scheduler::Registry& registry) const {
  std::vector<std::string> why;
  if (config.node_cache_capable) {
    why.emplace_back("nodeCacheCapable requests contain only the names of nodes");
  }
  if (!config.bind_verb.empty()) why.emplace_back("bindVerb creates bindings");
  if (!config.preempt_verb.empty()) {
    why.emplace_back("preemptVerb requests contain only names of nodes and UIDs of pods");
  }
  std::set<std::string_view> seen;
  for (const auto point : {ExtensionPoint::kPreFilter, ExtensionPoint::kFilter,
                           ExtensionPoint::kPreScore, ExtensionPoint::kScore}) {
    for (const std::string& name : profile->effective().At(point)) {
      if (!seen.insert(name).second) continue;
      const auto reads = KindsRead(*registry.Find(name), ArgsOf(config, name));
      if (!reads.empty()) why.push_back("plugin " + name + " reads " + Join(reads, ", "));
    }
  }
  return why;
}

Result<std::vector<Entry>> MakeEntries(const ExtenderConfiguration& config,
                                       const scheduler::Registry& registry,
                                       const scheduler::PluginHandle& handle) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < config.extenders.size(); ++i) {
    const ServedExtender& served = config.extenders[i];
    auto profile = scheduler::Profile::Create(ProfileOf(served), 0, registry, handle);
    if (!profile) return Fail(profile.error().With(api::Index("extenders", i)));
    entries.push_back({served, std::move(*profile)});
  }
  return entries;
}

Routes RoutesOf(const std::vector<Entry>& entries) {
  Routes routes;
  for (const Entry& entry : entries) {
    for (const engine::ExtenderVerbRow& row : engine::kExtenderVerbs) {
      const std::string& verb = entry.config.*row.path;
      if (!verb.empty()) routes.emplace(PathOf(entry.config, verb), Route{&entry, row.verb});
    }
  }
  return routes;
}

}  // namespace berth::extender
