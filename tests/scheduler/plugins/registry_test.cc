// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/registry.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/permissions.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;

const UpstreamPlugin& Upstream(std::string_view name) {
  const auto all = UpstreamPlugins();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const UpstreamPlugin& plugin) { return plugin.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

TEST(PluginRegistry, ListsThePluginsInTheOrderOfTheDefaultProfile) {
  EXPECT_THAT(MakeRegistry().Names(),
              ElementsAre("SchedulingGates", "PrioritySort", "NodeUnschedulable", "NodeName",
                          "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
                          "DefaultBinder"));
}

TEST(PluginRegistry, KnowsUpstreamPluginsThatAreNotServed) {
  const Registry registry = MakeRegistry();
  EXPECT_TRUE(IsUnserved("InterPodAffinity", registry));
  EXPECT_FALSE(IsUnserved("NodeName", registry));
  EXPECT_FALSE(IsUnserved("NodeNam", registry));
}

TEST(PluginRegistry, PluginsServeTheirUpstreamPointsWithTheirUpstreamWeights) {
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    const UpstreamPlugin& upstream = Upstream(plugin.name);
    EXPECT_EQ(plugin.default_weight, upstream.weight) << plugin.name;
    for (size_t i = 0; i < kExtensionPointCount; ++i) {
      const auto point = static_cast<ExtensionPoint>(i);
      if (point == ExtensionPoint::kPlacementScore) continue;  // behind a gate that is off
      EXPECT_EQ(plugin.points.Has(point), upstream.points.Has(point))
          << plugin.name << " " << ToString(point);
    }
  }
}

TEST(PluginRegistry, DescriptorsAreComplete) {
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    EXPECT_TRUE(plugin.summary.ends_with('.')) << plugin.name;
    EXPECT_FALSE(plugin.example.empty()) << plugin.name;
    for (const EventInterest& event : plugin.events) {
      EXPECT_FALSE(event.why.empty()) << plugin.name;
      EXPECT_NE(event.actions, 0u) << plugin.name;
    }
    const bool per_node =
        plugin.points.Has(ExtensionPoint::kFilter) || plugin.points.Has(ExtensionPoint::kScore);
    EXPECT_EQ(plugin.depends_on.empty(), !per_node) << plugin.name;
  }
}

// What a plugin of the capability "base" needs is among what every scheduler gets.
TEST(PluginRegistry, BasePermissionsCoverThoseOfPlugins) {
  const auto base = BasePermissions();
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    for (const Permission& needed : plugin.permissions) {
      if (needed.capability != kBaseCapability) continue;
      EXPECT_TRUE(std::any_of(base.begin(), base.end(),
                              [&](const Permission& given) {
                                return given.group == needed.group &&
                                       given.resource == needed.resource &&
                                       given.verbs == needed.verbs;
                              }))
          << plugin.name << " " << needed.resource;
    }
  }
}

TEST(PluginRegistry, RefusesArgsForAPluginThatTakesNone) {
  const Registry registry = MakeRegistry();
  const PluginDescriptor* plugin = registry.Find("NodeName");
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->args, nullptr);
  EXPECT_TRUE(plugin->check({""}).empty());
  EXPECT_FALSE(plugin->check({R"({"a":1})"}).empty());
}

}  // namespace
}  // namespace berth::scheduler
