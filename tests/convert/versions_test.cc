// SPDX-License-Identifier: Apache-2.0
#include "convert/versions.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;

struct VersionCase {
  std::string version;
  std::string members;
  std::string lists;
  std::string args;
  std::string dropped;  // the path and the reason
};

// A name that the file's own version does not have was rejected or ignored by its kube-scheduler.
TEST(Configuration, DropsNamesThatItsVersionDoesNotHave) {
  const std::string p = "profiles: [{schedulerName: s, plugins: ";
  const std::string a = "profiles: [{schedulerName: s, pluginConfig: ";
  const std::string score = "profiles[0].plugins.score.";
  const std::string config = "profiles[0].pluginConfig[name=";
  const std::string no_effect = ": disabling it had no effect";
  const VersionCase rows[] = {
      // Disabled plugins.
      {"v1", p + "{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}}]", "", "",
       score +
           "disabled[name=NodeResourcesLeastAllocated]: not a plugin of v1, only of v1alpha1 "
           "to v1beta1" +
           no_effect},
      {"v1beta2", p + "{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}}]", "", "",
       score + "disabled[name=NodeResourcesLeastAllocated]: not a plugin of v1beta2, only of"},
      {"v1beta3", p + "{multiPoint: {disabled: [{name: NodeResourcesMostAllocated}]}}}]", "", "",
       "profiles[0].plugins.multiPoint.disabled[name=NodeResourcesMostAllocated]: not a plugin of"},
      {"v1beta3", p + "{score: {disabled: [{name: NodePreferAvoidPods}]}}}]", "", "",
       score + "disabled[name=NodePreferAvoidPods]: not a plugin of v1beta3"},
      {"v1", p + "{score: {disabled: [{name: SelectorSpread}]}}}]", "", "",
       score + "disabled[name=SelectorSpread]: not a plugin of v1, only of v1beta1 to v1beta3"},
      {"v1alpha2", p + "{score: {disabled: [{name: SelectorSpread}]}}}]", "", "",
       score + "disabled[name=SelectorSpread]: not a plugin of v1alpha2"},
      {"v1beta1", p + "{score: {disabled: [{name: DefaultPodTopologySpread}]}}}]", "", "",
       score +
           "disabled[name=DefaultPodTopologySpread]: not a plugin of v1beta1, only of v1alpha1 "
           "to v1alpha2" +
           no_effect},
      {"v1beta1", p + "{filter: {disabled: [{name: NodeDeclaredFeatures}]}}}]", "", "",
       "profiles[0].plugins.filter.disabled[name=NodeDeclaredFeatures]: not a plugin of v1beta1, "
       "only of v1" +
           no_effect},
      {"v1beta1", p + "{score: {disabled: [{name: Best}]}}}]", "", "",
       score + "disabled[name=Best]: no default profile has it" + no_effect},
      // Enabled plugins.
      {"v1", p + "{score: {enabled: [{name: NodeResourcesMostAllocated, weight: 3}]}}}]", "", "",
       score + "enabled[name=NodeResourcesMostAllocated]: not a plugin of v1, only of v1alpha1 to "
               "v1beta1\n"},
      {"v1beta2", p + "{score: {enabled: [{name: RequestedToCapacityRatio}]}}}]", "", "",
       score + "enabled[name=RequestedToCapacityRatio]: not a plugin of v1beta2"},
      {"v1beta3", p + "{filter: {enabled: [{name: NodeLabel}]}}}]", "", "",
       "profiles[0].plugins.filter.enabled[name=NodeLabel]: not a plugin of v1beta3, only of "
       "v1alpha1 to v1beta1; the profile can have NodeLabel, if it is meant\n"},
      {"v1", p + "{score: {enabled: [{name: SelectorSpread}]}}}]", "", "",
       score + "enabled[name=SelectorSpread]: not a plugin of v1, only of v1beta1 to v1beta3; the"},
      {"v1alpha2", p + "{filter: {enabled: [{name: DynamicResources}]}}}]", "", "",
       "profiles[0].plugins.filter.enabled[name=DynamicResources]: not a plugin of v1alpha2, only "
       "of v1beta2 and later"},
      {"v1beta1", p + "{score: {enabled: [{name: NodeResourceLimits}]}}}]", "", "",
       score + "enabled[name=NodeResourceLimits]: not a plugin of v1beta1"},
      // Arguments.
      {"v1beta3", a + "[{name: NodeResourcesLeastAllocated, args: {resources: []}}]}]", "", "",
       config + "NodeResourcesLeastAllocated]: not a plugin of v1beta3"},
      {"v1alpha2",
       a + "[{name: NodeResourcesFit, args: {ignoredResources: [a.com/b], "
           "scoringStrategy: {type: MostAllocated}}}]}]",
       "", R"(NodeResourcesFit {"ignoredResources":["a.com/b"]})",
       config + "NodeResourcesFit].args.scoringStrategy: not an argument of v1alpha2, only of "
                "v1beta1 and later"},
      {"v1beta1",
       a + "[{name: InterPodAffinity, args: {ignorePreferredTermsOfExistingPods: true}}]}]", "",
       "InterPodAffinity {}",
       config + "InterPodAffinity].args.ignorePreferredTermsOfExistingPods: not an argument of "
                "v1beta1"},
      // Extension points.
      {"v1beta1", p + "{multiPoint: {disabled: [{name: NodeAffinity}]}}}]", "", "",
       "profiles[0].plugins.multiPoint: not an extension point of v1beta1, only of v1beta2 and "
       "later"},
      {"v1alpha2", p + "{postFilter: {enabled: [{name: NodeAffinity}]}}}]", "", "",
       "profiles[0].plugins.postFilter: not an extension point of v1alpha2, only of v1beta1 and"},
      {"v1beta1", p + "{unreserve: {enabled: [{name: Mine}]}}}]", "", "",
       "profiles[0].plugins.unreserve: not an extension point of v1beta1, only of v1alpha2\n"},
      {"v1alpha1", "schedulerName: s, plugins: {preScore: {enabled: [{name: NodeAffinity}]}}", "",
       "", "plugins.preScore: not an extension point of v1alpha1, only of v1alpha2 and later"},
      {"v1beta3", p + "{placementScore: {enabled: [{name: PodGroupPodsCount}]}}}]", "", "",
       "profiles[0].plugins.placementScore: not an extension point of v1beta3, only of v1\n"},
      {"v1beta3", p + "{podGroupPostFilter: {disabled: [{name: '*'}]}}}]", "", "",
       "profiles[0].plugins.podGroupPostFilter: not an extension point of v1beta3, only of v1\n"},
      {"v1", p + "{scores: [1]}}]", "", "", "profiles[0].plugins.scores: no such extension point"},
      // Fields.
      {"v1beta1", "schedulerName: other, profiles: [{schedulerName: s}]", "", "",
       "schedulerName: not a field of v1beta1, only of v1alpha1"},
      {"v1beta2", "algorithmSource: {provider: ClusterAutoscalerProvider}, " + p + "{}}]", "", "",
       "algorithmSource: not a field of v1beta2, only of v1alpha1"},
      {"v1beta1", "hardPodAffinitySymmetricWeight: 5, " + p + "{}}]", "", "",
       "hardPodAffinitySymmetricWeight: not a field of v1beta1, only of v1alpha1"},
      {"v1beta1", "disablePreemption: true, " + p + "{}}]", "", "",
       "disablePreemption: not a field of v1beta1, only of v1alpha1 to v1alpha2"},
      {"v1", "bindTimeoutSeconds: 30, " + p + "{}}]", "", "",
       "bindTimeoutSeconds: not a field of v1, only of"},
      {"v1", "plugins: {score: {disabled: [{name: '*'}]}}, profiles: [{schedulerName: s}]", "", "",
       "plugins: not a field of v1, only of v1alpha1"},
      {"v1alpha1", "schedulerName: s, profiles: [{schedulerName: a}, {schedulerName: b}]", "", "",
       "profiles: not a field of v1alpha1, only of v1alpha2 and later"},
      {"v1beta3", "metricsBindAddress: ':1', " + p + "{}}]", "", "",
       "metricsBindAddress: not a field of v1beta3, only of v1alpha1 to v1beta2"},
      {"v1beta3", "profiles: [{schedulerName: s, percentageOfNodesToScore: 5}]", "", "",
       "profiles[0].percentageOfNodesToScore: not a field of v1beta3, only of v1"},
      {"v1beta1", "extenders: [{urlPrefix: 'http://e', enableHttps: true}], " + p + "{}}]", "", "",
       "extenders[0].enableHttps: not a field of v1beta1, only of v1alpha2"},
  };
  for (const VersionCase& row : rows) {
    SCOPED_TRACE(row.version + " " + row.members);
    const Conversion conversion = ConversionOf(ConfigOf(row.version, row.members));
    ASSERT_EQ(conversion.profiles.size(), 1U);
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(profile.metadata.name, "s");
    EXPECT_EQ(ListsOf(profile.spec), row.lists);
    EXPECT_EQ(ArgsIn(profile.spec), row.args);
    EXPECT_EQ(profile.spec.percentage_of_nodes_to_score, 0);
    EXPECT_THAT(ReportOf(conversion), HasSubstr("dropped      " + row.dropped));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

// Without a field at the wrong level, a valid profile would behave differently.
TEST(Configuration, RejectsFieldsAtTheWrongLevel) {
  const FieldCase rows[] = {
      {"profiles: [{schedulerName: a}, {schedulerName: s, plugins: {score: {}, pluginConfig: "
       "[{name: NodeResourcesFit, args: {}}]}}]",
       "profiles[1].plugins.pluginConfig: no such extension point here, but a field of profiles[]: "
       "move it there"},
      {"profiles: [{schedulerName: s, score: {disabled: [{name: '*'}]}}]",
       "profiles[0].score: unknown field here, but a field of profiles[].plugins: move it there"},
      {"profiles: [{schedulerName: s, plugins: {score: {pluginConfig: []}}}]",
       "profiles[0].plugins.score.pluginConfig: unknown field here, but a field of profiles[]"},
      {"profiles: [{schedulerName: s, extenders: [{urlPrefix: 'http://e'}]}]",
       "profiles[0].extenders: unknown field here, but a field of the configuration: move it"},
      {"filter: {}", "filter: unknown field here, but a field of profiles[].plugins: move it"},
  };
  for (const FieldCase& row : rows) {
    EXPECT_THAT(ErrorOf(ConfigOf("v1", row.members)),
                testing::StartsWith("file.yaml: " + row.finding));
  }
  EXPECT_EQ(ErrorOf("{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: "
                    "KubeSchedulerConfiguration, algorithmSource: {pluginConfig: []}}"),
            "file.yaml: algorithmSource.pluginConfig: unknown field here, but a field of the "
            "configuration: move it there");
}

TEST(Configuration, ReportsTheOtherPartsBesideAnError) {
  const auto conversion = Convert(
      ConfigOf("v1", "percentageOfNodesToScore: 40, profiles: [{schedulerName: s, score: {}}]"),
      {.source = "file.yaml"}, Catalogue());
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->errors.size(), 1U);
  EXPECT_TRUE(conversion->profiles.empty());
  EXPECT_THAT(ReportOf(*conversion), HasSubstr("exact        percentageOfNodesToScore "));
}

struct TimeoutCase {
  std::string version;
  std::string timeout;
  std::string now;    // in the profile; "": rejected
  std::string error;  // after the path
};

TEST(Configuration, ReadsTimeoutsInTheFormOfTheVersion) {
  const std::string text = "expected a duration, such as \"30s\", found ";
  const std::string number = "expected a number of nanoseconds, such as 30000000000, found ";
  const TimeoutCase rows[] = {
      {"v1alpha2", "5000000000", "5s", ""},
      {"v1alpha2", "5s", "", number + "\"5s\""},
      {"v1beta1", "30s", "30s", ""},
      {"v1beta1", "30", "", text + "30"},
      {"v1beta2", "1m30s", "1m30s", ""},
      {"v1beta2", "5000000000", "", text + "5000000000"},
      {"v1beta3", "100ms", "100ms", ""},
      {"v1beta3", "true", "", text + "true"},
      {"v1", "30s", "30s", ""},
      {"v1", "30", "", text + "30"},
      {"v1", "'30'", "", "duration \"30\": a number without a unit"},
      {"v1", "[30s]", "", text + "["},
  };
  for (const TimeoutCase& row : rows) {
    SCOPED_TRACE(row.version + " " + row.timeout);
    const std::string config = ConfigOf(
        row.version, "extenders: [{urlPrefix: 'http://a'}, {urlPrefix: 'http://b', httpTimeout: " +
                         row.timeout + "}]");
    if (row.now.empty()) {
      EXPECT_THAT(ErrorOf(config),
                  testing::StartsWith("file.yaml: extenders[1].httpTimeout: " + row.error));
    } else {
      const Conversion conversion = ConversionOf(config);
      EXPECT_EQ(conversion.profiles[0].profile.spec.extenders[1].http_timeout.ToString(), row.now);
    }
  }
}

}  // namespace
}  // namespace berth::convert
