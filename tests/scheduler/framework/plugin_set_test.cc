// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/plugin_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Scripted;

template <class Entry>
std::vector<std::string> Listed(const std::vector<Entry>& plugins) {
  std::vector<std::string> texts;
  for (const Entry& plugin : plugins) {
    texts.push_back(plugin.weight == 0 ? plugin.name
                                       : plugin.name + "=" + std::to_string(plugin.weight));
  }
  return texts;
}

// Returns a registry with all upstream plugins at their points, so that only the lists are tested.
Registry Upstream(std::set<std::string_view> without = {}) {
  std::vector<PluginDescriptor> plugins;
  for (const UpstreamPlugin& plugin : UpstreamPlugins()) {
    if (without.contains(plugin.name)) continue;
    PluginDescriptor descriptor = Scripted(plugin.name, {});
    descriptor.points = plugin.points;
    plugins.push_back(std::move(descriptor));
  }
  return Registry(std::move(plugins));
}

// Returns two filters, a score and the two plugins that every profile needs.
Registry Small() {
  const auto plugin = [](std::string_view name, PointSet points) {
    PluginDescriptor descriptor = Scripted(name, {});
    descriptor.points = points;
    return descriptor;
  };
  return Registry({plugin("A", {ExtensionPoint::kFilter, ExtensionPoint::kScore}),
                   plugin("B", {ExtensionPoint::kFilter, ExtensionPoint::kScore}),
                   plugin("C", {ExtensionPoint::kFilter, ExtensionPoint::kScore}),
                   plugin("Sort", {ExtensionPoint::kQueueSort}),
                   plugin("Binder", {ExtensionPoint::kBind})});
}

api::Plugins SmallProfile() {
  api::Plugins plugins;
  plugins.multi_point.disabled = {{"*"}};
  plugins.multi_point.enabled = {{"A"}, {"B", 2}, {"Sort"}, {"Binder"}};
  return plugins;
}

std::string ErrorOf(const api::Plugins& plugins, const Registry& registry) {
  const auto expanded = ExpandPlugins(plugins, registry, "x");
  return expanded ? "no error" : expanded.error().message();
}

TEST(UpstreamPlugins, HasAll24Names) {
  EXPECT_EQ(UpstreamPlugins().size(), 24u);
  EXPECT_EQ(DefaultPluginSet().enabled.size(), 21u);
  EXPECT_EQ(DefaultPluginSet().enabled.front().name, "SchedulingGates");
  EXPECT_EQ(FindUpstream("TaintToleration")->weight, 3);
  EXPECT_EQ(FindUpstream("Coscheduling"), nullptr);
}

TEST(MergeWithDefaults, KeepsTheDefaultsByDefault) {
  const api::Plugins merged = MergeWithDefaults({});
  EXPECT_EQ(merged.multi_point.enabled, DefaultPluginSet().enabled);
  EXPECT_THAT(merged.filter.enabled, IsEmpty());
}

TEST(MergeWithDefaults, DropsDisabledAndReplacesInPlace) {
  api::Plugins custom;
  custom.multi_point.disabled = {{"SchedulingGates"}, {"NodeUnschedulable"}};
  custom.multi_point.enabled = {{"Mine", 4}, {"NodeName", 7}};
  const auto merged = Listed(MergeWithDefaults(custom).multi_point.enabled);
  EXPECT_EQ(merged.size(), 20u);
  EXPECT_EQ(merged[0], "PrioritySort");
  EXPECT_EQ(merged[1], "NodeName=7");
  EXPECT_EQ(merged.back(), "Mine=4");
}

TEST(MergeWithDefaults, EnabledOverridesDisabledAndIsAppended) {
  api::Plugins custom;
  custom.multi_point.disabled = {{"NodeName"}};
  custom.multi_point.enabled = {{"NodeName"}};
  const auto merged = Listed(MergeWithDefaults(custom).multi_point.enabled);
  EXPECT_EQ(merged.size(), 21u);
  EXPECT_EQ(merged.back(), "NodeName");
}

TEST(MergeWithDefaults, StarDisablesAllDefaults) {
  api::Plugins custom;
  custom.multi_point.disabled = {{"*"}};
  custom.multi_point.enabled = {{"NodeName"}, {"Mine"}};
  EXPECT_THAT(Listed(MergeWithDefaults(custom).multi_point.enabled),
              ElementsAre("NodeName", "Mine"));
  EXPECT_THAT(Listed(MergeWithDefaults(custom).multi_point.disabled), ElementsAre("*"));
}

TEST(MergeWithDefaults, LastEntryOfADuplicateNameReplaces) {
  api::Plugins custom;
  custom.multi_point.enabled = {{"NodeName", 1}, {"NodeName", 2}};
  const auto merged = Listed(MergeWithDefaults(custom).multi_point.enabled);
  EXPECT_EQ(merged[2], "NodeName=2");
  EXPECT_EQ(merged.back(), "NodeName=1");
}

TEST(ExpandPlugins, FiltersTheDefaultTableByPoint) {
  const auto effective = ExpandPlugins({}, Upstream(), "x");
  ASSERT_TRUE(effective) << effective.error().message();
  EXPECT_THAT(effective->At(ExtensionPoint::kScore),
              ElementsAre("TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding",
                          "PodTopologySpread", "InterPodAffinity", "DynamicResources",
                          "NodeResourcesBalancedAllocation", "ImageLocality"));
  EXPECT_THAT(effective->At(ExtensionPoint::kPostFilter),
              ElementsAre("DynamicResources", "DefaultPreemption"));
  EXPECT_THAT(
      effective->At(ExtensionPoint::kPreEnqueue),
      ElementsAre("SchedulingGates", "DynamicResources", "DefaultPreemption", "GangScheduling"))
      << "although its gate is off in kube-scheduler";
  EXPECT_EQ(effective->WeightOf("TaintToleration"), 3);
  EXPECT_EQ(effective->WeightOf("VolumeBinding"), 1);
  EXPECT_EQ(effective->WeightOf("NodeName"), 0);
}

TEST(ExpandPlugins, AddedPluginsRunLastAndRelistedOnesFirst) {
  api::Plugins plugins = SmallProfile();
  plugins.filter.enabled = {{"C"}, {"B"}};
  const auto effective = ExpandPlugins(plugins, Small(), "x");
  ASSERT_TRUE(effective) << effective.error().message();
  EXPECT_THAT(effective->At(ExtensionPoint::kFilter), ElementsAre("B", "A", "C"));
  EXPECT_THAT(effective->At(ExtensionPoint::kScore), ElementsAre("A", "B"));
}

TEST(ExpandPlugins, PointCanDisableMultiPointPlugins) {
  api::Plugins plugins = SmallProfile();
  plugins.filter.disabled = {{"A"}};
  plugins.score.disabled = {{"*"}};
  plugins.score.enabled = {{"C", 5}};
  const auto effective = ExpandPlugins(plugins, Small(), "x");
  ASSERT_TRUE(effective) << effective.error().message();
  EXPECT_THAT(effective->At(ExtensionPoint::kFilter), ElementsAre("B"));
  EXPECT_THAT(effective->At(ExtensionPoint::kScore), ElementsAre("C"));
  EXPECT_EQ(effective->WeightOf("C"), 5);
}

TEST(ExpandPlugins, SpecificWeightTakesPrecedence) {
  api::Plugins plugins = SmallProfile();
  plugins.score.enabled = {{"B", 9}};
  const auto effective = ExpandPlugins(plugins, Small(), "x");
  ASSERT_TRUE(effective) << effective.error().message();
  EXPECT_EQ(effective->WeightOf("B"), 9);
  EXPECT_EQ(effective->WeightOf("A"), 1);
  EXPECT_THAT(effective->At(ExtensionPoint::kScore), ElementsAre("B", "A"));
}

TEST(ExpandPlugins, RejectsWithUpstreamsTextAndThePath) {
  struct {
    const char* about;
    std::function<void(api::Plugins&)> change;
    const char* error;
  } const cases[] = {
      {"unknown at a point", [](api::Plugins& p) { p.filter.enabled = {{"D"}}; },
       "plugins.filter.enabled[0]: FilterPlugin \"D\" does not exist; "},
      {"unknown in multiPoint", [](api::Plugins& p) { p.multi_point.enabled.push_back({"Binde"}); },
       "plugins.multiPoint.enabled[4]: PreFilterPlugin \"Binde\" does not exist; nearest: "
       "Binder"},
      {"wrong point", [](api::Plugins& p) { p.bind.enabled = {{"A"}}; },
       "plugins.bind.enabled[0]: plugin \"A\" does not extend BindPlugin plugin"},
      {"twice at a point",
       [](api::Plugins& p) {
         p.score.enabled = {{"C"}, {"C"}};
       },
       "plugins.score.enabled[1]: plugin \"C\" already registered as \"ScorePlugin\""},
      {"twice in multiPoint", [](api::Plugins& p) { p.multi_point.enabled.push_back({"A"}); },
       "plugins.multiPoint.enabled[4]: plugin \"A\" already registered as \"FilterPlugin\""},
      {"no queue sort", [](api::Plugins& p) { p.queue_sort.disabled = {{"*"}}; },
       "only one queue sort plugin required for profile with scheduler name \"x\", but got 0"},
      {"no bind", [](api::Plugins& p) { p.bind.disabled = {{"Binder"}}; },
       "at least one bind plugin is needed for profile with scheduler name \"x\""},
  };
  for (const auto& each : cases) {
    api::Plugins plugins = SmallProfile();
    each.change(plugins);
    EXPECT_THAT(ErrorOf(plugins, Small()), HasSubstr(each.error)) << each.about;
  }
}

TEST(ExpandPlugins, RejectsARegistryWithoutADefaultPlugin) {
  EXPECT_THAT(ErrorOf({}, Upstream({"VolumeZone"})),
              HasSubstr("PreFilterPlugin \"VolumeZone\" does not exist; "));
}

TEST(ExpandPlugins, ReportsFeatureGatesOfUnservedPlugins) {
  constexpr const char* kTopology = "GenericWorkload and TopologyAwareWorkloadScheduling";
  const std::pair<std::string, std::string> cases[] = {
      {"DeferredPodScheduling", "InPlacePodVerticalScalingSchedulerPreemption"},
      {"GangScheduling", "GenericWorkload"},
      {"TopologyPlacementGenerator", kTopology},
      {"PodGroupPodsCount", kTopology},
  };
  for (const auto& [name, gates] : cases) {
    api::Plugins plugins;
    plugins.multi_point.enabled = {{name}};
    EXPECT_THAT(ErrorOf(plugins, Upstream({name})),
                HasSubstr("plugins.multiPoint.enabled[0]: " + name +
                          " is not served by this version: in kube-scheduler it needs feature "
                          "gates that are off by default: " +
                          gates + "; served are "));
  }
  EXPECT_EQ(GatesNeeded(*FindUpstream("NodeName")), "");
}

TEST(IsUnserved, DistinguishesKnownFromUnknownNames) {
  const Registry registry = Upstream({"InterPodAffinity"});
  EXPECT_TRUE(IsUnserved("InterPodAffinity", registry));
  EXPECT_FALSE(IsUnserved("NodeName", registry));
  EXPECT_FALSE(IsUnserved("Typo", registry));
}

}  // namespace
}  // namespace berth::scheduler
