// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "crds/validation.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

struct PluginCase {
  std::string spec;
  std::string error;  // empty: none
};

const PluginCase kPluginCases[] = {
    {"{plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 5}]}}}", ""},
    {"{plugins: {multiPoint: {enabled: [{name: NodeName}]}}}", ""},
    {"{plugins: {score: {disabled: [{name: ImageLocality}]}}}", ""},
    {"{plugins: {score: {disabled: [{name: '*'}]}}}", ""},
    {"{plugins: {permit: {enabled: [{name: GangSchedulin}]}}}",
     "spec.plugins.permit.enabled[name=GangSchedulin]: Invalid value: \"GangSchedulin\": unknown "
     "plugin; nearest: GangScheduling (not served by this version)"},
    {"{plugins: {filter: {enabled: [{name: nodename}]}}}", "unknown plugin; nearest: NodeName"},
    {"{plugins: {filter: {enabled: [{name: Zzz}]}}}",
     "spec.plugins.filter.enabled[name=Zzz]: Invalid value: \"Zzz\": unknown plugin"},
    {"{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}",
     "spec.plugins.multiPoint.enabled[name=GangScheduling]: Invalid value: \"GangScheduling\": not "
     "served by this version: it needs a gate"},
    {"{plugins: {score: {enabled: [{name: NodeName}]}}}",
     "spec.plugins.score.enabled[name=NodeName]: Invalid value: \"NodeName\": does not implement "
     "score; it implements preFilter, filter"},
    {"{plugins: {filter: {disabled: [{name: NodeNane}]}}}",
     "spec.plugins.filter.disabled[name=NodeNane]: Invalid value: \"NodeNane\": unknown plugin; "
     "nearest: NodeName"},
    {"{plugins: {multiPoint: {enabled: [{name: QOSSort}]}}}",
     "spec.plugins.queueSort: Invalid value: \"PrioritySort, QOSSort\": only one queue sort plugin "
     "can be enabled; write queueSort: {disabled: [{name: PrioritySort}]}"},
    {"{plugins: {multiPoint: {enabled: [{name: QOSSort}, {name: Coscheduling}], "
     "disabled: [{name: PrioritySort}]}}}",
     "spec.plugins.queueSort: Invalid value: \"QOSSort, Coscheduling\": only one queue sort plugin "
     "can be enabled; disable the others in queueSort.disabled"},
    {"{plugins: {multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}}", ""},
    {"{plugins: {multiPoint: {enabled: [{name: QOSSort}]}, "
     "queueSort: {disabled: [{name: PrioritySort}]}}}",
     ""},
    {"{plugins: {queueSort: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}}", ""},
    {"{plugins: {queueSort: {disabled: [{name: '*'}]}}}", "spec.plugins.queueSort: Required value"},
    {"{plugins: {bind: {disabled: [{name: DefaultBinder}]}}}", "spec.plugins.bind: Required value"},
    {"{plugins: {multiPoint: {disabled: [{name: '*'}]}, queueSort: {enabled: [{name: "
     "PrioritySort}]}, "
     "bind: {enabled: [{name: DefaultBinder}]}}}",
     ""},
    {"{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]}",
     ""},
    {"{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: bad}}}]}",
     "spec.pluginConfig[name=NodeResourcesFit].args.scoringStrategy.type: Invalid value: \"bad\": "
     "is not a strategy"},
    {"{pluginConfig: [{name: NodeResourceFit}]}",
     "spec.pluginConfig[name=NodeResourceFit]: Invalid value: \"NodeResourceFit\": unknown plugin; "
     "nearest: NodeResourcesFit"},
    {"{pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 5}}]}", ""},
};

TEST(ValidatePlugins, ErrorsNamePointPluginAndNearestName) {
  for (const PluginCase& c : kPluginCases) {
    std::vector<std::string> texts;
    for (const auto& error : Validate(ProfileOf(c.spec), UpstreamCatalogue())) {
      texts.push_back(error.ToString());
    }
    if (c.error.empty()) {
      EXPECT_THAT(texts, testing::IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(texts, testing::ElementsAre(testing::HasSubstr(c.error))) << c.spec;
    }
  }
}

TEST(ValidatePlugins, AcceptsAnyNameWithCustomImage) {
  const std::string unknown = "plugins: {score: {enabled: [{name: Ours}]}}";
  EXPECT_THAT(
      Validate(ProfileOf("{" + unknown + ", engine: {image: ours:1}}"), UpstreamCatalogue()),
      testing::IsEmpty());
  EXPECT_THAT(Validate(ProfileOf("{" + unknown + ", engine: {type: KubeScheduler, image: ours:1}}"),
                       UpstreamCatalogue()),
              testing::IsEmpty());
  EXPECT_THAT(Validate(ProfileOf("{" + unknown + "}"), UpstreamCatalogue()), testing::SizeIs(1));
}

TEST(ValidatePlugins, StockKubeSchedulerHasOnlyUpstreamPlugins) {
  const auto errors = [](const std::string& plugins) {
    std::vector<std::string> texts;
    const std::string spec = "{engine: {type: KubeScheduler}, plugins: {" + plugins + "}}";
    for (const auto& error : Validate(ProfileOf(spec), UpstreamCatalogue())) {
      texts.push_back(error.ToString());
    }
    return texts;
  };
  EXPECT_THAT(errors("multiPoint: {enabled: [{name: DynamicResources, weight: 5}]}"),
              testing::IsEmpty());
  EXPECT_THAT(errors("queueSort: {enabled: [{name: QOSSort}]}"),
              testing::Contains("spec.plugins.queueSort.enabled[name=QOSSort]: Invalid value: "
                                "\"QOSSort\": not served by kube-scheduler"));
  EXPECT_THAT(
      errors("score: {enabled: [{name: PodTopologySpred}]}"),
      testing::ElementsAre(testing::HasSubstr("unknown plugin; nearest: PodTopologySpread")));
}

}  // namespace
}  // namespace berth::crds
