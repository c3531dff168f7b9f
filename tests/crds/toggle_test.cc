// SPDX-License-Identifier: Apache-2.0
#include "crds/toggle.h"

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kEnable = ToggleRequest::Verb::kEnable;
constexpr auto kDisable = ToggleRequest::Verb::kDisable;
constexpr auto kWeight = ToggleRequest::Verb::kWeight;

// Maps field paths to their managers; an entry is owned with its name.
using Owners = std::map<std::string, std::string>;

Result<TogglePlan> Plan(const std::string& plugins, const ToggleRequest& request,
                        const Owners& owners = {}) {
  const auto owner_of = [&](const std::string& path) {
    const auto found = owners.find(path);
    return found == owners.end() ? "" : found->second;
  };
  return PlanToggle(ProfileOf("{plugins: " + plugins + "}").spec, UpstreamCatalogue(), request,
                    owner_of);
}

std::vector<std::string> Texts(const TogglePlan& plan) {
  std::vector<std::string> texts;
  for (const ToggleEdit& edit : plan.edits) {
    const std::string path = edit.path.substr(sizeof "spec.plugins." - 1);
    texts.push_back(path + " " + edit.what + (edit.owner.empty() ? "" : " !" + edit.owner));
  }
  return texts;
}

std::string Yaml(const api::Plugins& plugins) { return yaml::FromJson(json::Encode(plugins)); }

struct ToggleCase {
  const char* what;
  std::string plugins;
  ToggleRequest request;
  std::vector<std::string> edits;
  std::string after;
  Owners owners = {};
};

void PrintTo(const ToggleCase& each, std::ostream* out) { *out << each.what; }

class Toggles : public testing::TestWithParam<ToggleCase> {};

TEST_P(Toggles, ChangesTheLists) {
  const ToggleCase& each = GetParam();
  const auto plan = Plan(each.plugins, each.request, each.owners);
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_EQ(Texts(*plan), each.edits);
  EXPECT_EQ(Yaml(plan->plugins), Yaml(ProfileOf("{plugins: " + each.after + "}").spec.plugins));

  // Toggling again changes nothing, regardless of owners.
  const auto again = PlanToggle({.plugins = plan->plugins}, UpstreamCatalogue(), each.request,
                                [](const std::string&) { return "argocd"; });
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_THAT(Texts(*again), IsEmpty());
}

const std::string kMultiAffinity = "multiPoint.enabled[name=NodeAffinity]";
const std::string kScoreAffinity = "score.enabled[name=NodeAffinity]";

INSTANTIATE_TEST_SUITE_P(
    Enable, Toggles,
    testing::Values(
        ToggleCase{"a plugin of the default profile", "{}", {kEnable, "NodeName"}, {}, "{}"},
        ToggleCase{"removes it from disabled at every point",
                   "{multiPoint: {disabled: [{name: NodeName}, {name: NodePorts}]}, "
                   "filter: {disabled: [{name: NodeName}]}}",
                   {kEnable, "NodeName"},
                   {"multiPoint.disabled[name=NodeName] removed",
                    "filter.disabled[name=NodeName] removed"},
                   "{multiPoint: {disabled: [{name: NodePorts}]}}"},
        ToggleCase{"keeps the default weight if all others are disabled",
                   "{multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, "
                   "{name: DefaultBinder}]}}",
                   {kEnable, "NodeAffinity"},
                   {kMultiAffinity + " added with weight 2"},
                   "{multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, "
                   "{name: DefaultBinder}, {name: NodeAffinity, weight: 2}]}}"},
        ToggleCase{
            "at a point that disables all",
            "{score: {disabled: [{name: '*'}]}}",
            {kEnable, "NodeAffinity"},
            {kScoreAffinity + " added with weight 2"},
            "{score: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity, weight: 2}]}}"},
        ToggleCase{"a disabled plugin at one point",
                   "{multiPoint: {disabled: [{name: NodeAffinity}]}}",
                   {kEnable, "NodeAffinity", {"filter"}},
                   {"filter.enabled[name=NodeAffinity] added"},
                   "{multiPoint: {disabled: [{name: NodeAffinity}]}, "
                   "filter: {enabled: [{name: NodeAffinity}]}}"},
        ToggleCase{"at the point that disables it",
                   "{filter: {disabled: [{name: NodeAffinity}]}}",
                   {kEnable, "NodeAffinity", {"filter", "score"}},
                   {"filter.disabled[name=NodeAffinity] removed"},
                   "{}"},
        ToggleCase{"overrides a disabled entry of another manager",
                   "{multiPoint: {disabled: [{name: NodeName}]}}",
                   {kEnable, "NodeName"},
                   {"multiPoint.enabled[name=NodeName] added"},
                   "{multiPoint: {disabled: [{name: NodeName}], enabled: [{name: NodeName}]}}",
                   {{"spec.plugins.multiPoint.disabled[name=NodeName]", "argocd"}}},
        ToggleCase{"a queue sort replaces the previous one",
                   "{}",
                   {kEnable, "QOSSort"},
                   {"multiPoint.enabled[name=QOSSort] added",
                    "multiPoint.disabled[name=PrioritySort] added"},
                   "{multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}"},
        ToggleCase{"the previous queue sort replaces it again",
                   "{multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}",
                   {kEnable, "PrioritySort"},
                   {"multiPoint.disabled[name=PrioritySort] removed",
                    "multiPoint.enabled[name=QOSSort] removed"},
                   "{}"},
        ToggleCase{"a queue sort with more points replaces an enabled one",
                   "{multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}",
                   {kEnable, "Coscheduling"},
                   {"multiPoint.enabled[name=Coscheduling] added",
                    "multiPoint.enabled[name=QOSSort] removed"},
                   "{multiPoint: {enabled: [{name: Coscheduling}], "
                   "disabled: [{name: PrioritySort}]}}"},
        ToggleCase{"a replaced queue sort keeps its other points",
                   "{multiPoint: {enabled: [{name: Coscheduling}], "
                   "disabled: [{name: PrioritySort}]}}",
                   {kEnable, "QOSSort"},
                   {"multiPoint.enabled[name=QOSSort] added",
                    "queueSort.disabled[name=Coscheduling] added"},
                   "{multiPoint: {enabled: [{name: Coscheduling}, {name: QOSSort}], "
                   "disabled: [{name: PrioritySort}]}, "
                   "queueSort: {disabled: [{name: Coscheduling}]}}"},
        ToggleCase{"a disabled queueSort point keeps the current queue sort",
                   "{}",
                   {kEnable, "Coscheduling", {"preFilter", "permit"}},
                   {"preFilter.enabled[name=Coscheduling] added",
                    "permit.enabled[name=Coscheduling] added"},
                   "{preFilter: {enabled: [{name: Coscheduling}]}, "
                   "permit: {enabled: [{name: Coscheduling}]}}"}));

INSTANTIATE_TEST_SUITE_P(
    Disable, Toggles,
    testing::Values(
        ToggleCase{"a plugin that does not run", "{}", {kDisable, "QOSSort"}, {}, "{}"},
        ToggleCase{"a plugin of the default profile",
                   "{}",
                   {kDisable, "NodeAffinity"},
                   {"multiPoint.disabled[name=NodeAffinity] added"},
                   "{multiPoint: {disabled: [{name: NodeAffinity}]}}"},
        ToggleCase{"removes it from enabled, which overrides disabled",
                   "{multiPoint: {enabled: [{name: NodeAffinity}]}, "
                   "score: {enabled: [{name: NodeAffinity, weight: 5}]}}",
                   {kDisable, "NodeAffinity"},
                   {kMultiAffinity + " removed", "multiPoint.disabled[name=NodeAffinity] added",
                    kScoreAffinity + " removed"},
                   "{multiPoint: {disabled: [{name: NodeAffinity}]}}"},
        ToggleCase{"a plugin already disabled by *",
                   "{score: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity}]}}",
                   {kDisable, "NodeAffinity", {"score"}},
                   {kScoreAffinity + " removed"},
                   "{score: {disabled: [{name: '*'}]}}"},
        ToggleCase{"restores the default queue sort",
                   "{multiPoint: {enabled: [{name: Coscheduling}], "
                   "disabled: [{name: PrioritySort}]}}",
                   {kDisable, "Coscheduling"},
                   {"multiPoint.enabled[name=Coscheduling] removed",
                    "multiPoint.disabled[name=PrioritySort] removed"},
                   "{}"},
        ToggleCase{"restores it also at the queueSort point alone",
                   "{multiPoint: {enabled: [{name: Coscheduling}]}, "
                   "queueSort: {disabled: [{name: PrioritySort}]}}",
                   {kDisable, "Coscheduling", {"queueSort"}},
                   {"queueSort.disabled[name=Coscheduling] added",
                    "queueSort.disabled[name=PrioritySort] removed"},
                   "{multiPoint: {enabled: [{name: Coscheduling}]}, "
                   "queueSort: {disabled: [{name: Coscheduling}]}}"},
        ToggleCase{"restores it also if the default profile is disabled",
                   "{multiPoint: {disabled: [{name: '*'}], enabled: [{name: QOSSort}, "
                   "{name: DefaultBinder}]}}",
                   {kDisable, "QOSSort"},
                   {"multiPoint.enabled[name=QOSSort] removed",
                    "multiPoint.enabled[name=PrioritySort] added"},
                   "{multiPoint: {disabled: [{name: '*'}], "
                   "enabled: [{name: DefaultBinder}, {name: PrioritySort}]}}"},
        ToggleCase{"restores it if another manager disabled it",
                   "{multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}",
                   {kDisable, "QOSSort"},
                   {"multiPoint.enabled[name=QOSSort] removed",
                    "multiPoint.enabled[name=PrioritySort] added"},
                   "{multiPoint: {enabled: [{name: PrioritySort}], "
                   "disabled: [{name: PrioritySort}]}}",
                   {{"spec.plugins.multiPoint.disabled[name=PrioritySort]", "argocd"}}},
        ToggleCase{"restores nothing if another queue sort runs",
                   "{multiPoint: {enabled: [{name: Coscheduling}, {name: QOSSort}], "
                   "disabled: [{name: PrioritySort}]}, "
                   "queueSort: {disabled: [{name: Coscheduling}]}}",
                   {kDisable, "Coscheduling"},
                   {"multiPoint.enabled[name=Coscheduling] removed"},
                   "{multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}, "
                   "queueSort: {disabled: [{name: Coscheduling}]}}"},
        ToggleCase{"at one point",
                   "{}",
                   {kDisable, "NodeAffinity", {"score"}},
                   {"score.disabled[name=NodeAffinity] added"},
                   "{score: {disabled: [{name: NodeAffinity}]}}"},
        ToggleCase{"at each point if another manager enables it in multiPoint",
                   "{multiPoint: {enabled: [{name: TaintToleration}]}}",
                   {kDisable, "TaintToleration"},
                   {"preFilter.disabled[name=TaintToleration] added",
                    "filter.disabled[name=TaintToleration] added",
                    "preScore.disabled[name=TaintToleration] added",
                    "score.disabled[name=TaintToleration] added"},
                   "{multiPoint: {enabled: [{name: TaintToleration}]}, "
                   "preFilter: {disabled: [{name: TaintToleration}]}, "
                   "filter: {disabled: [{name: TaintToleration}]}, "
                   "preScore: {disabled: [{name: TaintToleration}]}, "
                   "score: {disabled: [{name: TaintToleration}]}}",
                   {{"spec.plugins.multiPoint.enabled[name=TaintToleration]", "argocd"}}},
        ToggleCase{"changes the entry of another manager at a point",
                   "{score: {enabled: [{name: NodeAffinity, weight: 5}]}}",
                   {kDisable, "NodeAffinity", {"score"}},
                   {kScoreAffinity + " removed !argocd", "score.disabled[name=NodeAffinity] added"},
                   "{score: {disabled: [{name: NodeAffinity}]}}",
                   {{"spec.plugins.score.enabled[name=NodeAffinity]", "argocd"}}}));

INSTANTIATE_TEST_SUITE_P(
    Weight, Toggles,
    testing::Values(
        ToggleCase{"the same weight", "{}", {kWeight, "NodeAffinity", {}, 2}, {}, "{}"},
        ToggleCase{"no weight means one",
                   "{score: {enabled: [{name: NodeAffinity}]}}",
                   {kWeight, "NodeAffinity", {}, 1},
                   {},
                   "{score: {enabled: [{name: NodeAffinity}]}}"},
        ToggleCase{"of a plugin of the default profile",
                   "{}",
                   {kWeight, "NodeAffinity", {}, 5},
                   {kScoreAffinity + " added with weight 5"},
                   "{score: {enabled: [{name: NodeAffinity, weight: 5}]}}"},
        ToggleCase{"at score, which overrides multiPoint",
                   "{multiPoint: {enabled: [{name: NodeAffinity, weight: 7}]}, "
                   "score: {enabled: [{name: NodeAffinity, weight: 3}]}}",
                   {kWeight, "NodeAffinity", {}, 7},
                   {kScoreAffinity + ".weight from 3 to 7"},
                   "{multiPoint: {enabled: [{name: NodeAffinity, weight: 7}]}, "
                   "score: {enabled: [{name: NodeAffinity, weight: 7}]}}"},
        ToggleCase{"in multiPoint",
                   "{multiPoint: {enabled: [{name: NodeAffinity}]}}",
                   {kWeight, "NodeAffinity", {}, 5},
                   {kMultiAffinity + ".weight from 1 to 5"},
                   "{multiPoint: {enabled: [{name: NodeAffinity, weight: 5}]}}"},
        ToggleCase{"besides multiPoint if another manager owns it there",
                   "{multiPoint: {enabled: [{name: NodeAffinity, weight: 3}]}}",
                   {kWeight, "NodeAffinity", {}, 5},
                   {kScoreAffinity + " added with weight 5"},
                   "{multiPoint: {enabled: [{name: NodeAffinity, weight: 3}]}, "
                   "score: {enabled: [{name: NodeAffinity, weight: 5}]}}",
                   {{"spec.plugins.multiPoint.enabled[name=NodeAffinity].weight", "argocd"}}},
        ToggleCase{"in an entry of another manager without a weight",
                   "{score: {enabled: [{name: NodeAffinity}]}}",
                   {kWeight, "NodeAffinity", {}, 5},
                   {kScoreAffinity + ".weight from 1 to 5"},
                   "{score: {enabled: [{name: NodeAffinity, weight: 5}]}}",
                   {{"spec.plugins.score.enabled[name=NodeAffinity]", "argocd"}}},
        ToggleCase{"owned by another manager at score",
                   "{score: {enabled: [{name: NodeAffinity, weight: 3}]}}",
                   {kWeight, "NodeAffinity", {}, 5},
                   {kScoreAffinity + ".weight from 3 to 5 !argocd"},
                   "{score: {enabled: [{name: NodeAffinity, weight: 5}]}}",
                   {{"spec.plugins.score.enabled[name=NodeAffinity].weight", "argocd"}}}));

TEST(PlanToggle, ReportsWhetherOtherManagersAreAffected) {
  const std::string listed = "{score: {enabled: [{name: NodeAffinity}]}}";
  const ToggleRequest request{kDisable, "NodeAffinity", {"score"}};
  EXPECT_FALSE(Plan(listed, request)->ChangesForeignFields());
  EXPECT_TRUE(
      Plan(listed, request, {{"spec.plugins." + kScoreAffinity, "flux"}})->ChangesForeignFields());
}

TEST(PlanToggle, NotesEntriesWithoutEffect) {
  const std::string path = "spec.plugins.filter.disabled[name=NodeName]";
  const auto plan =
      Plan("{filter: {disabled: [{name: NodeName}]}}", {kEnable, "NodeName"}, {{path, "argocd"}});
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->notes,
              ElementsAre(path + " is kept because it is owned by argocd: it has no effect on "
                                 "a plugin that is listed in enabled"));
}

TEST(PlanToggle, EnableRevertsDisable) {
  for (const char* plugins : {"{}", "{multiPoint: {disabled: [{name: NodePorts}]}}",
                              "{score: {disabled: [{name: '*'}]}}"}) {
    const auto off = Plan(plugins, {kDisable, "TaintToleration", {"filter"}});
    ASSERT_TRUE(off);
    ASSERT_THAT(off->edits, testing::SizeIs(1)) << plugins;
    const auto on = Plan(json::Encode(off->plugins), {kEnable, "TaintToleration", {"filter"}});
    ASSERT_TRUE(on);
    EXPECT_EQ(Yaml(on->plugins),
              Yaml(ProfileOf("{plugins: " + std::string(plugins) + "}").spec.plugins));
  }
}

struct RejectedToggle {
  std::string plugins;
  ToggleRequest request;
  const char* why;
};

TEST(PlanToggle, RejectsInvalidRequests) {
  const RejectedToggle cases[] = {
      {"{}", {kEnable, "NodeAfinity"}, "unknown plugin \"NodeAfinity\"; nearest: NodeAffinity"},
      {"{}", {kDisable, "Zzz"}, "unknown plugin \"Zzz\""},
      {"{}", {kEnable, "GangScheduling"}, "GangScheduling is not served by this version: "},
      {"{}",
       {kEnable, "NodeName", {"score"}},
       "NodeName does not implement score; it implements preFilter, filter"},
      {"{}",
       {kEnable, "NodeResourcesFit", {"fliter"}},
       "unknown extension point \"fliter\"; nearest: filter"},
      {"{}",
       {kEnable, "NodeName", {"everywhere"}},
       "unknown extension point \"everywhere\"; NodeName implements preFilter, filter"},
      {"{}",
       {kWeight, "NodeName", {}, 5},
       "NodeName does not implement score; it implements preFilter, filter"},
      {"{multiPoint: {disabled: [{name: NodeAffinity}]}}",
       {kWeight, "NodeAffinity", {}, 5},
       "NodeAffinity does not run at score in this profile"},
      {"{}",
       {kDisable, "PrioritySort"},
       "the profile would be invalid: spec.plugins.queueSort: Required value: no plugin is left"},
      {"{}",
       {kDisable, "DefaultBinder", {"bind"}},
       "the profile would be invalid: spec.plugins.bind: Required value: no plugin is left"},
  };
  for (const RejectedToggle& each : cases) {
    const auto plan = Plan(each.plugins, each.request);
    ASSERT_FALSE(plan) << each.why;
    EXPECT_TRUE(plan.error().Is(Reason::kConfig));
    EXPECT_THAT(plan.error().message(), HasSubstr(each.why));
  }
}

TEST(PlanToggle, IgnoresExistingErrors) {
  const auto plan = Plan("{filter: {enabled: [{name: Zzz}]}}", {kDisable, "NodeName"});
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_THAT(Texts(*plan), ElementsAre("multiPoint.disabled[name=NodeName] added"));
}

TEST(PlanToggle, UsesPluginsOfEngine) {
  const auto plan = [](const std::string& engine, const ToggleRequest& request) {
    return PlanToggle(ProfileOf("{engine: " + engine + "}").spec, UpstreamCatalogue(), request,
                      [](const std::string&) { return ""; });
  };
  const std::string stock = "{type: KubeScheduler}";
  EXPECT_THAT(Texts(*plan(stock, {kDisable, "VolumeZone"})),
              ElementsAre("multiPoint.disabled[name=VolumeZone] added"));
  EXPECT_THAT(plan(stock, {kEnable, "QOSSort"}).error().message(),
              HasSubstr("QOSSort is not served by kube-scheduler"));

  const std::string other = "{type: KubeScheduler, image: 'ours:1'}";
  EXPECT_THAT(Texts(*plan(other, {kEnable, "CapacityScheduling"})),
              ElementsAre("multiPoint.enabled[name=CapacityScheduling] added"));
  EXPECT_THAT(Texts(*plan(other, {kEnable, "CapacityScheduling", {"postFilter"}})),
              ElementsAre("postFilter.enabled[name=CapacityScheduling] added"));
  EXPECT_THAT(Texts(*plan(other, {kDisable, "CapacityScheduling"})), IsEmpty());
}

// A plugin with a name of Berth's in a custom image is the image's own: it may have other points,
// but it sorts the queue.
TEST(PlanToggle, TreatsBerthPluginNameAsPluginOfCustomImage) {
  auto spec = ProfileOf("{engine: {type: KubeScheduler, image: 'ours:1'}}").spec;
  const auto plan = [&spec](const ToggleRequest& request) {
    return PlanToggle(spec, UpstreamCatalogue(), request, [](const std::string&) { return ""; });
  };
  const auto one = plan({kEnable, "Coscheduling", {"postFilter"}});
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_THAT(Texts(*one), ElementsAre("postFilter.enabled[name=Coscheduling] added"));
  const auto all = plan({kEnable, "Coscheduling"});
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_THAT(Texts(*all), ElementsAre("multiPoint.enabled[name=Coscheduling] added",
                                       "multiPoint.disabled[name=PrioritySort] added"));
  spec.plugins = all->plugins;
  const auto none = plan({kDisable, "Coscheduling"});
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_EQ(none->plugins, api::Plugins());
}

}  // namespace
}  // namespace berth::crds
