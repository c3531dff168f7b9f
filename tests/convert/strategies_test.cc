// SPDX-License-Identifier: Apache-2.0
#include "convert/strategies.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/versions.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

struct StrategyCase {
  std::string version;
  std::string profile;  // members of the profile, or of the configuration in v1alpha1
  std::string lists;
  std::string strategy;  // of NodeResourcesFit; "": the default one
  std::vector<std::string> findings;
};

// Each resource strategy was a plugin of its own, and the default one was enabled unless the source
// disabled it. A profile has one strategy.
TEST(Configuration, CombinesScoringStrategies) {
  const std::string at = "profiles[0].plugins.score.enabled[name=";
  const std::string standard = "profiles[0].(default profile) NodeResourcesLeastAllocated";
  const std::string one =
      "a profile has only one scoring strategy of NodeResourcesFit, here that of ";
  const std::string kept = "plugins.score.enabled[name=";
  const std::string shape =
      "pluginConfig: [{name: RequestedToCapacityRatio, args: {shape: "
      "[{utilization: 0, score: 1}]}}]";
  const auto score = [](const std::string& lists) { return "plugins: {score: {" + lists + "}}"; };
  const StrategyCase rows[] = {
      // MostAllocated and the default LeastAllocated are opposite.
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated, weight: 3}]"),
       "score: NodeResourcesFit=2",
       "MostAllocated",
       {"approximate  " + at +
            "NodeResourcesMostAllocated] -> "
            "plugins.score.enabled[name=NodeResourcesFit], weight 2: now a scoring strategy of "
            "NodeResourcesFit; scored together with NodeResourcesLeastAllocated (weight 1, default "
            "and "
            "not disabled); their scores are opposite, so weight 2 remains",
        "dropped      " + standard + ": weight 1, not disabled; combined: " + one + kept +
            "NodeResourcesMostAllocated], with weight 2"}},
      {"v1alpha2",
       score("enabled: [{name: NodeResourcesMostAllocated, weight: 5}]"),
       "score: NodeResourcesFit=4",
       "MostAllocated",
       {"dropped      " + standard}},
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated}]"),
       "score: -NodeResourcesFit",
       "",
       {"approximate  " + at +
            "NodeResourcesMostAllocated] -> "
            "plugins.score.disabled[name=NodeResourcesFit]: LeastAllocated and MostAllocated with "
            "equal "
            "weights",
        "approximate  " + standard + " -> plugins.score.disabled[name=NodeResourcesFit]: "}},
      {"v1beta1",
       score("disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: "
             "NodeResourcesLeastAllocated, weight: 5}, {name: "
             "NodeResourcesMostAllocated, weight: 2}]"),
       "score: NodeResourcesFit=3",
       "",
       {"approximate  " + at +
            "NodeResourcesLeastAllocated] -> "
            "plugins.score.enabled[name=NodeResourcesFit], weight 3",
        "dropped      " + at + "NodeResourcesMostAllocated]: combined: " + one + kept +
            "NodeResourcesLeastAllocated], with weight 3"}},
      // With other resources they are not.
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated, weight: 3}]") +
           ", pluginConfig: [{name: NodeResourcesMostAllocated, args: {resources: "
           "[{name: cpu, weight: 1}]}}]",
       "score: NodeResourcesFit=3",
       "MostAllocated",
       {"approximate  " + at + "NodeResourcesMostAllocated] -> ",
        "dropped      " + standard + ": weight 1, not disabled; not expressible: " + one,
        "exact        profiles[0].pluginConfig[name=NodeResourcesMostAllocated] -> "}},
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated, weight: 3}]") +
           ", pluginConfig: [{name: NodeResourcesLeastAllocated, args: {resources: "
           "[{name: memory, weight: 1}]}}]",
       "score: NodeResourcesFit=3",
       "MostAllocated",
       {"dropped      profiles[0].pluginConfig[name=NodeResourcesLeastAllocated]: weight 1"}},
      // A ratio beside others.
      {"v1beta1",
       score("enabled: [{name: RequestedToCapacityRatio, weight: 2}]") + ", " + shape,
       "score: NodeResourcesFit=2",
       "RequestedToCapacityRatio",
       {"approximate  " + at +
            "RequestedToCapacityRatio] -> "
            "plugins.score.enabled[name=NodeResourcesFit], weight 2: now a scoring strategy of "
            "NodeResourcesFit; scored together with NodeResourcesLeastAllocated (weight 1, default "
            "and "
            "not disabled)\n",
        "dropped      " + standard + ": weight 1, not disabled; not expressible: " + one + kept +
            "RequestedToCapacityRatio]\n"}},
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated, weight: 9}, {name: "
             "RequestedToCapacityRatio, weight: 2}]") +
           ", " + shape,
       "score: NodeResourcesFit=8",
       "MostAllocated",
       {"dropped      " + at + "RequestedToCapacityRatio]: not expressible: " + one + kept +
            "NodeResourcesMostAllocated]\n",
        "dropped      profiles[0].pluginConfig[name=RequestedToCapacityRatio]: "}},
      {"v1beta1",
       score("enabled: [{name: NodeResourcesMostAllocated}, {name: "
             "RequestedToCapacityRatio}]") +
           ", " + shape,
       "score: NodeResourcesFit",
       "RequestedToCapacityRatio",
       {"dropped      " + at + "NodeResourcesMostAllocated]: not expressible: ",
        "dropped      " + standard}},
      // Only one.
      {"v1beta1",
       score("disabled: [{name: '*'}], enabled: [{name: NodeResourcesMostAllocated, "
             "weight: 3}]"),
       "score: NodeResourcesFit=3, -*",
       "MostAllocated",
       {"exact        " + at + "NodeResourcesMostAllocated] -> "}},
      {"v1beta1",
       score("disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: "
             "RequestedToCapacityRatio}]") +
           ", " + shape,
       "score: NodeResourcesFit",
       "RequestedToCapacityRatio",
       {"exact        " + at + "RequestedToCapacityRatio] -> ",
        "exact        profiles[0].pluginConfig[name=RequestedToCapacityRatio] -> scoringStrategy"}},
      {"v1beta2",
       score("enabled: [{name: NodeResourcesFit, weight: 3}]") +
           ", pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
           "MostAllocated}}}]",
       "score: NodeResourcesFit=3",
       "MostAllocated",
       {"exact        " + at + "NodeResourcesFit]"}},
      // NodeResourcesFit itself scores in v1beta1 only if it is enabled there.
      {"v1beta1",
       score("disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: "
             "NodeResourcesFit, weight: 3}]") +
           ", pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
           "MostAllocated}}}]",
       "score: NodeResourcesFit=3",
       "MostAllocated",
       {"exact        " + at + "NodeResourcesFit]"}},
      {"v1beta1",
       score("enabled: [{name: NodeResourcesFit, weight: 3}]"),
       "score: NodeResourcesFit=3",
       "",
       {"approximate  " + at + "NodeResourcesFit] -> ", "dropped      " + standard}},
      {"v1beta1",
       "pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
       "MostAllocated}}}]",
       "",
       "",
       {"dropped      profiles[0].pluginConfig[name=NodeResourcesFit].args.scoringStrategy: in "
        "this version NodeResourcesFit scores only if it is enabled at score"}},
      {"v1beta1",
       score("disabled: [{name: NodeResourcesFit}]"),
       "",
       "",
       {"dropped      profiles[0].plugins.score.disabled[name=NodeResourcesFit]: NodeResourcesFit "
        "does not score by default in this version: disabling it had no effect"}},
      {"v1beta1",
       "plugins: {filter: {enabled: [{name: NodeResourcesMostAllocated}]}}",
       "",
       "",
       {"dropped      profiles[0].plugins.filter.enabled[name=NodeResourcesMostAllocated]: "
        "NodeResourcesMostAllocated does not implement filter"}},
      // The other provider has MostAllocated by default.
      {"v1alpha1",
       "algorithmSource: {provider: ClusterAutoscalerProvider}, " +
           score("enabled: [{name: NodeResourcesLeastAllocated, weight: 3}]"),
       "score: NodeResourcesFit=2",
       "",
       {"dropped      (default profile) NodeResourcesMostAllocated: weight 1, not disabled"}},
      {"v1alpha1",
       "algorithmSource: {provider: ClusterAutoscalerProvider}, " +
           score("disabled: [{name: NodeResourcesMostAllocated}]"),
       "score: -NodeResourcesFit",
       "",
       {"exact        plugins.score.disabled[name=NodeResourcesMostAllocated] -> "
        "plugins.score.disabled[name=NodeResourcesFit]"}},
  };
  for (const StrategyCase& row : rows) {
    SCOPED_TRACE(row.version + " " + row.profile);
    const Conversion conversion = ConversionOf(
        ConfigOf(row.version, row.version == "v1alpha1"
                                  ? "schedulerName: s, " + row.profile
                                  : "profiles: [{schedulerName: s, " + row.profile + "}]"));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(ListsOf(profile.spec), row.lists);
    const std::string args = ArgsIn(profile.spec);
    EXPECT_EQ(args.find("scoringStrategy") == std::string::npos, row.strategy.empty()) << args;
    EXPECT_THAT(args, HasSubstr(row.strategy));
    const std::string report = ReportOf(conversion);
    for (const std::string& finding : row.findings) EXPECT_THAT(report, HasSubstr(finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

TEST(Configuration, DoesNotAdviseOnDisabledParts) {
  const std::string plugins[] = {"NodeAffinity",   "InterPodAffinity",  "TaintToleration",
                                 "SelectorSpread", "PodTopologySpread", "NodePreferAvoidPods"};
  for (const std::string& plugin : plugins) {
    for (const std::string version : {"v1alpha2", "v1beta1", "v1beta2"}) {
      if (!WhyNoPlugin(*ConfigVersionOf("kubescheduler.config.k8s.io/" + version), plugin)
               .empty()) {
        continue;
      }
      EXPECT_THAT(
          ReportOf(ConversionOf(ConfigOf(
              version, "profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: " +
                           plugin + "}]}}}]"))),
          Not(testing::ContainsRegex("default profile\\) " + plugin + "|" + plugin +
                                     " spreads by default")))
          << version << " " << plugin;
    }
  }
  const FieldCase rows[] = {
      {"v1alpha2 profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: "
       "DefaultPodTopologySpread}]}}}]",
       "(default profile) SelectorSpread"},
      {"v1beta1 profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: '*'}]}}}]",
       "(default profile)"},
      {"v1beta1 profiles: [{schedulerName: s, plugins: {preScore: {disabled: [{name: "
       "InterPodAffinity}]}}}]",
       "(default profile) InterPodAffinity"},
      {"v1 leaderElection: {leaderElect: false, resourceName: x}", "different Leases"},
      {"v1 enableProfiling: false, enableContentionProfiling: false", "not supported"},
      {"v1 delayCacheUntilActive: false", "dropped"},
  };
  for (const FieldCase& row : rows) {
    const size_t space = row.members.find(' ');
    EXPECT_THAT(ReportOf(ConversionOf(
                    ConfigOf(row.members.substr(0, space), row.members.substr(space + 1)))),
                Not(HasSubstr(row.finding)));
  }
}

}  // namespace
}  // namespace berth::convert
