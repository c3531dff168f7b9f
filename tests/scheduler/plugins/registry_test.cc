// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/registry.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/plugins/permissions.h"

namespace berth::scheduler {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(PluginRegistry, ListsUpstreamPluginsInDefaultOrderFirst) {
  const Registry registry = MakeRegistry();
  std::vector<std::string> expected;
  for (const UpstreamPlugin& upstream : UpstreamPlugins()) {
    if (registry.Find(upstream.name) != nullptr) expected.emplace_back(upstream.name);
  }
  for (const PluginDescriptor& plugin : registry.plugins()) {
    if (FindUpstream(plugin.name) == nullptr) expected.emplace_back(plugin.name);
  }
  EXPECT_EQ(registry.Names(), expected);
}

// Returns the names in `code` of the lists of docs/served.md, in order.
std::vector<std::string> NamesOnServedPage() {
  const auto text = ReadFile("docs/served.md");
  BERTH_CHECK(text.has_value(), "docs/served.md is read from the root of the repository");
  const size_t begin = text->find("## Plugins");
  BERTH_CHECK(begin != std::string::npos, "docs/served.md lists the plugins");
  const std::string section = text->substr(begin, text->find("\n## ", begin) - begin);
  std::vector<std::string> names;
  std::istringstream lines(section);
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    in_list = line.starts_with("- ") || (in_list && line.starts_with("  "));
    for (size_t at = in_list ? line.find('`') : std::string::npos; at != std::string::npos;) {
      const size_t end = line.find('`', at + 1);
      names.push_back(line.substr(at + 1, end - at - 1));
      at = line.find('`', end + 1);
    }
  }
  return names;
}

TEST(PluginRegistry, ServedPageListsPluginsInRegistryOrder) {
  EXPECT_EQ(NamesOnServedPage(), MakeRegistry().Names());
}

TEST(PluginRegistry, DefaultProfileMatchesUpstream) {
  const auto effective = ExpandPlugins({}, MakeRegistry(), "x");
  ASSERT_TRUE(effective) << effective.error().message();
  EXPECT_THAT(effective->At(ExtensionPoint::kScore),
              ElementsAre("TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding",
                          "PodTopologySpread", "InterPodAffinity", "DynamicResources",
                          "NodeResourcesBalancedAllocation", "ImageLocality"));
  EXPECT_THAT(
      effective->At(ExtensionPoint::kPreScore),
      ElementsAre("TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding",
                  "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation"));
  EXPECT_EQ(effective->WeightOf("NodeResourcesBalancedAllocation"), 1);
  EXPECT_EQ(effective->WeightOf("ImageLocality"), 1);
  EXPECT_THAT(effective->At(ExtensionPoint::kQueueSort), ElementsAre("PrioritySort"));
  EXPECT_THAT(effective->At(ExtensionPoint::kFilter), Not(Contains("PodNameLength")));
}

TEST(PluginRegistry, RecognizesUnservedUpstreamPlugins) {
  const Registry registry = MakeRegistry();
  EXPECT_TRUE(IsUnserved("PodGroupPodsCount", registry));
  EXPECT_FALSE(IsUnserved("NodeName", registry));
  EXPECT_FALSE(IsUnserved("NodeNam", registry));
}

TEST(PluginRegistry, PluginsHaveUpstreamPointsAndWeights) {
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    const UpstreamPlugin* known = FindUpstream(plugin.name);
    if (known == nullptr) {
      EXPECT_EQ(plugin.default_weight, 0) << plugin.name << " is not in the default profile";
      continue;
    }
    const UpstreamPlugin& upstream = *known;
    EXPECT_EQ(plugin.default_weight, upstream.weight) << plugin.name;
    for (size_t i = 0; i < kExtensionPointCount; ++i) {
      const auto point = static_cast<ExtensionPoint>(i);
      if (point >= ExtensionPoint::kPlacementGenerate) continue;  // behind gates that are off
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
    EXPECT_FALSE(plugin.no_event_helps && !plugin.events.empty()) << plugin.name;
    const bool per_node =
        plugin.points.Has(ExtensionPoint::kFilter) || plugin.points.Has(ExtensionPoint::kScore);
    EXPECT_EQ(plugin.depends_on.empty(), !per_node) << plugin.name;
  }
}

// The permissions of plugins with the capability "base" are part of BasePermissions.
TEST(PluginRegistry, BasePermissionsCoverPlugins) {
  const auto base = BasePermissions();
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    for (const api::PluginPermission& needed : plugin.permissions) {
      if (needed.capability != api::kBaseCapability) continue;
      EXPECT_TRUE(std::any_of(base.begin(), base.end(),
                              [&](const api::PluginPermission& given) {
                                return given.group == needed.group &&
                                       given.resource == needed.resource &&
                                       given.verbs == needed.verbs;
                              }))
          << plugin.name << " " << needed.resource;
    }
  }
}

// Most profiles read them, and few profiles may evict pods.
TEST(ReadPermissions, PodGroupsOfKubernetesHaveTheirOwnCapability) {
  const auto permissions = ReadPermissions({ObjectKind::kNativePodGroup});
  ASSERT_EQ(permissions.size(), 1u);
  EXPECT_EQ(permissions[0].capability, "podgroups");
  EXPECT_EQ(permissions[0].group, "scheduling.k8s.io");
  EXPECT_EQ(permissions[0].resource, "podgroups");
  EXPECT_EQ(permissions[0].verbs, "list,watch");
}

TEST(PluginRegistry, RejectsArgsForPluginWithoutArgs) {
  const Registry registry = MakeRegistry();
  const PluginDescriptor* plugin = registry.Find("NodeName");
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->args, nullptr);
  EXPECT_TRUE(plugin->check({""}).empty());
  EXPECT_FALSE(plugin->check({R"({"a":1})"}).empty());
}

}  // namespace
}  // namespace berth::scheduler
