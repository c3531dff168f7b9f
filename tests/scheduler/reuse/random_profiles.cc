// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/random_profiles.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace berth::scheduler::testing {
namespace {

struct Arguments {
  std::string_view plugin;
  std::string_view json;
};
constexpr Arguments kArguments[] = {
    {"NodeAffinity", R"({"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
        "nodeSelectorTerms":[{"matchExpressions":[{"key":"disk","operator":"NotIn",
        "values":["nvme"]}]}]}}})"},
    {"NodeAffinity", R"({"addedAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":7,"preference":{"matchExpressions":[{"key":"team","operator":"Exists"}]}}]}})"},
    {"NodeResourcesFit", R"({"scoringStrategy":{"type":"MostAllocated"}})"},
    {"NodeResourcesFit", R"({"ignoredResources":["example.com/gpu"],"scoringStrategy":{
        "type":"LeastAllocated","resources":[{"name":"cpu","weight":3},
        {"name":"example.com/gpu","weight":2}]}})"},
    {"NodeResourcesFit", R"({"scoringStrategy":{"type":"RequestedToCapacityRatio",
        "resources":[{"name":"memory","weight":1},{"name":"cpu","weight":5}],
        "requestedToCapacityRatio":{"shape":[{"utilization":0,"score":2},
        {"utilization":70,"score":10},{"utilization":100,"score":0}]}}})"},
    {"NodeResourcesBalancedAllocation",
     R"({"resources":[{"name":"cpu","weight":1},{"name":"ephemeral-storage","weight":1}]})"},
    {"PodTopologySpread", R"({"defaultingType":"List"})"},
    {"InterPodAffinity", R"({"hardPodAffinityWeight":40})"},
    {"InterPodAffinity", R"({"ignorePreferredTermsOfExistingPods":true})"},
    {"PodNameLength", R"({"maxLength":9})"},
    {"PodNameLength", R"({"maxLength":100})"},
    {"PodNameLength", R"({"maxLength":101})"},
    {"Random", R"({"seed":7})"},
    {"NodeNameLength", R"({"base":4})"},
    {"NetworkTraffic", R"({"address":"p:9090","deviceName":"eth0"})"},
    {"NetworkTraffic", R"({"address":"p:9090","deviceName":"eth0","onMissing":"skip"})"},
    {"NetworkTraffic", R"({"address":"p:9090","deviceName":"eth0","onMissing":"last"})"},
    {"NodeLabel", R"({"presentLabels":["tier"],"absentLabelsPreference":["team","broken"]})"},
    {"NodeLabel", R"({"absentLabels":["broken"],"presentLabelsPreference":["team"]})"},
    {"Expressions", R"json({"filters":[{"expression":"size(pod.metadata.name) < 12"},
        {"expression":"!('broken' in node.metadata.labels) || pod.spec.priority > 0"}],
        "scores":[{"expression":"20 - size(node.metadata.name)"}]})json"},
    {"Expressions", R"json({"filters":[{"expression":"node.metadata.labels['tier'] != 'none'",
        "message":"{{ pod.metadata.name }} finds no tier"}],
        "scores":[{"expression":"node.status.allocatable['cpu'].asApproximateFloat()"},
        {"expression":"size(node.spec.taints) - size(pod.spec.tolerations)","weight":7}],
        "normalizer":"MinMax"})json"},
    {"Expressions", R"json({"filters":[{"expression":
        "node.spec.taints.all(x, pod.spec.tolerations.exists(t, t.key == x.key))"}],
        "scores":[{"expression":"node.metadata.labels.exists(k, k in pod.metadata.labels) ? 3 : 1"}],
        "normalizer":"Reversed"})json"},
    {"Expressions", R"json({"filters":[{"expression":
        "size(node.status.images) < 3 || pod.spec.containers.exists(c, c.image != '')"}],
        "scores":[{"expression":"size(node.status.images)"}],"normalizer":"Linear"})json"},
    {"ServiceAffinity", R"({"affinityLabels":["disk"]})"},
    {"ServiceAffinity", R"({"affinityLabels":["team","disk"],
        "antiAffinityLabelsPreference":["topology.kubernetes.io/zone"]})"},
    {"ServiceAffinity", R"({"antiAffinityLabelsPreference":["disk","tier"]})"},
};

std::optional<std::string> AnyArguments(Random& random, const PluginDescriptor& plugin) {
  std::vector<std::string_view> choices;
  if (!plugin.check || plugin.check({}).empty()) choices.emplace_back();
  for (const Arguments& arguments : kArguments) {
    if (arguments.plugin == plugin.name) choices.push_back(arguments.json);
  }
  const std::string_view drawn = random.Pick(choices);
  return drawn.empty() ? std::nullopt : std::optional(std::string(drawn));
}

// A profile has exactly one QueueSort plugin, and needs a Bind plugin.
bool IsQueueSort(const PluginDescriptor& plugin) {
  return plugin.points.Has(ExtensionPoint::kQueueSort);
}
bool IsNeeded(const PluginDescriptor& plugin) { return plugin.points.Has(ExtensionPoint::kBind); }

api::KubeSchedulerProfile RandomSpec(Random& random, const Registry& registry) {
  api::KubeSchedulerProfile spec;
  spec.percentage_of_nodes_to_score = random.Pick({0, 0, 0, 100, 5, 30});
  const bool has_default_plugins = registry.Find("DefaultBinder") != nullptr;
  if (has_default_plugins && random.Percent(15)) return spec;

  // A single filter without cached results changes the search, so some profiles must have none.
  const unsigned share = random.Pick({50u, 85u, 95u});
  std::vector<const PluginDescriptor*> plugins;
  std::vector<const PluginDescriptor*> queue_sorts;
  for (const PluginDescriptor& plugin : registry.plugins()) {
    if (IsQueueSort(plugin)) {
      queue_sorts.push_back(&plugin);
    } else if (IsNeeded(plugin) || random.Percent(share)) {
      plugins.push_back(&plugin);
    }
  }
  plugins.push_back(random.Pick(queue_sorts));
  random.Shuffle(plugins);
  spec.plugins.multi_point.disabled.push_back({"*"});
  for (const PluginDescriptor* plugin : plugins) {
    const std::string name(plugin->name);
    spec.plugins.multi_point.enabled.push_back(
        {name, static_cast<int32_t>(random.OneIn(3) ? 1 + random.Below(10) : 0)});
    if (auto args = AnyArguments(random, *plugin)) {
      spec.plugin_config.push_back({name, {std::move(*args)}});
    }
  }
  return spec;
}

}  // namespace

Profiles RandomProfiles(Random& random, const Registry& registry, const PluginHandle& handle,
                        const std::shared_ptr<const Extenders>& extenders) {
  Profiles profiles;
  for (const char* name : {"first", "second"}) {
    api::KubeSchedulerProfile spec = RandomSpec(random, registry);
    spec.scheduler_name = name;
    auto made =
        Profile::Create(spec, /*percentage_of_nodes_to_score=*/0, registry, handle, extenders);
    BERTH_CHECK(made.has_value(), made.error().message());
    profiles.push_back(*made);
  }
  return profiles;
}

}  // namespace berth::scheduler::testing
