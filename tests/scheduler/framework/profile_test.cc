// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/profile.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/queued_pod.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using testing::Everything;
using ::testing::HasSubstr;
using testing::IndexesOf;
using testing::MakePod;
using testing::MakeProfile;
using testing::Script;
using testing::Scripted;
using testing::TestCluster;
using testing::WithBasics;

Verdict Fits(const CycleContext&, const NodeView&) { return Verdict::Fits(); }

std::string ErrorOf(const api::KubeSchedulerProfile& spec, const Registry& registry) {
  TestCluster cluster;
  const auto made = Profile::Create(spec, 0, registry, cluster.handle());
  return made ? "no error" : made.error().message();
}

std::vector<std::string> Registrations(const Profile& profile, std::string_view plugin) {
  std::vector<std::string> labels;
  for (const Profile::Registration& each : profile.registrations()) {
    if (each.plugin == plugin) labels.push_back(each.event.Label());
  }
  return labels;
}

TEST(Profile, OwnPercentageOverridesTheGlobalOne) {
  TestCluster cluster;
  const Registry registry = WithBasics({});
  auto spec = Everything(registry);
  EXPECT_EQ(
      (*Profile::Create(spec, 30, registry, cluster.handle()))->percentage_of_nodes_to_score(), 30);
  spec.percentage_of_nodes_to_score = 0;
  const auto profile = *Profile::Create(spec, 30, registry, cluster.handle());
  EXPECT_EQ(profile->percentage_of_nodes_to_score(), 0);
  EXPECT_EQ(profile->scheduler_name(), "test");
}

TEST(Profile, SortsWithItsQueueSortPlugin) {
  TestCluster cluster;
  const auto profile = MakeProfile(cluster, {});
  const QueuedPod a{.pod = MakePod("a").Info(cluster.words())};
  const QueuedPod b{.pod = MakePod("b").Info(cluster.words())};
  EXPECT_TRUE(profile->Less(a, b));
  EXPECT_FALSE(profile->Less(b, a));
}

TEST(Profile, PassesEachPluginItsArgs) {
  std::string seen = "nothing";
  PluginDescriptor plugin = Scripted("P", {.filter = Fits});
  plugin.create = [&, create = plugin.create](const json::Raw& args, const PluginHandle& handle) {
    seen = args.text;
    return create(args, handle);
  };
  const Registry registry = WithBasics({plugin});
  auto spec = Everything(registry);
  spec.plugin_config = {{"Other", {"{\"x\":1}"}}, {"P", {"{\"x\":2}"}}};
  EXPECT_EQ(ErrorOf(spec, registry), "no error");
  EXPECT_EQ(seen, "{\"x\":2}");
}

TEST(Profile, ReadsTheKindsOfItsPluginsWithTheirArgs) {
  TestCluster cluster;
  PluginDescriptor by_args = Scripted("ByArgs", {.filter = Fits});
  by_args.reads_with = [](const json::Raw& args) {
    return args.text.empty() ? ObjectKindSet() : ObjectKindSet{ObjectKind::kService};
  };
  PluginDescriptor always = Scripted("Always", {.filter = Fits});
  always.reads = {ObjectKind::kNamespace};
  const Registry registry = WithBasics({by_args, always});
  auto spec = Everything(registry);
  const auto without = *Profile::Create(spec, 0, registry, cluster.handle());
  EXPECT_EQ(without->reads(), (ObjectKindSet{ObjectKind::kNamespace}));
  spec.plugin_config = {{"ByArgs", {"{}"}}};
  const auto with = *Profile::Create(spec, 0, registry, cluster.handle());
  EXPECT_EQ(with->reads(), (ObjectKindSet{ObjectKind::kNamespace, ObjectKind::kService}));
  EXPECT_EQ(ReadsOf({{"a", without}, {"b", with}}), with->reads());
}

TEST(Profile, ErrorsNameTheProfileAndThePlugin) {
  PluginDescriptor rejecting = Scripted("P", {.filter = Fits});
  rejecting.create = [](const json::Raw&, const PluginHandle&) -> Result<std::unique_ptr<Plugin>> {
    return ConfigError("bad args");
  };
  PluginDescriptor throwing = rejecting;
  throwing.create = [](const json::Raw&, const PluginHandle&) -> Result<std::unique_ptr<Plugin>> {
    throw std::runtime_error("boom");
  };
  const Registry first = WithBasics({rejecting});
  EXPECT_EQ(ErrorOf(Everything(first), first),
            "initializing profiles: creating profile for scheduler name test: initializing plugin "
            "\"P\": bad args");
  const Registry second = WithBasics({throwing});
  EXPECT_THAT(ErrorOf(Everything(second), second),
              HasSubstr("initializing plugin \"P\": threw an exception: boom"));
  auto unnamed = Everything(first);
  unnamed.scheduler_name = "";
  EXPECT_THAT(ErrorOf(unnamed, first), HasSubstr("scheduler name is needed"));
}

// Returns the error for a configuration with these profiles.
std::string ErrorOfAll(const std::vector<api::KubeSchedulerProfile>& specs,
                       const Registry& registry) {
  TestCluster cluster;
  const auto made = CreateProfiles(specs, 0, registry, cluster.handle());
  return made ? "no error" : made.error().message();
}

TEST(CreateProfiles, RejectsDifferentQueueSorts) {
  const Registry registry = WithBasics(
      {Scripted("Other", {.less = [](const QueuedPod&, const QueuedPod&) { return false; }})});
  const auto sorted_by = [](const std::string& name, const std::string& plugin) {
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = name;
    spec.plugins.multi_point.disabled = {{"*"}};
    spec.plugins.multi_point.enabled = {{plugin}, {"Binder"}};
    return spec;
  };
  EXPECT_EQ(ErrorOfAll({sorted_by("a", "Sort"), sorted_by("b", "Sort")}, registry), "no error");
  EXPECT_EQ(ErrorOfAll({sorted_by("b", "Sort"), sorted_by("a", "Other")}, registry),
            "initializing profiles: different queue sort plugins for profile \"a\": \"Other\", "
            "first: \"Sort\"");
  auto with_args = sorted_by("b", "Sort");
  with_args.plugin_config = {{"Sort", {"{\"x\":1}"}}};
  EXPECT_EQ(ErrorOfAll({sorted_by("a", "Sort"), with_args}, registry),
            "initializing profiles: different queue sort plugin args for profile \"b\"");
  auto explicitly = sorted_by("b", "Sort");
  explicitly.plugins.multi_point.enabled = {{"Binder"}};
  explicitly.plugins.queue_sort.enabled = {{"Sort"}};
  EXPECT_EQ(ErrorOfAll({sorted_by("a", "Sort"), explicitly}, registry), "no error")
      << "only the sort plugin matters, not the list that enables it";
  EXPECT_EQ(ErrorOfAll({sorted_by("a", "Sort"), sorted_by("a", "Sort")}, registry),
            "initializing profiles: duplicate profile with scheduler name \"a\"");
}

TEST(Profile, RegistersTheEventsOfPluginsThatCanReject) {
  TestCluster cluster;
  const auto profile = MakeProfile(
      cluster,
      {Scripted("Filters",
                {.filter = Fits, .events = {{Resource::kNode, action::kAdd, "a node may appear"}}}),
       Scripted("Tainted",
                {.filter = Fits,
                 .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeTaint, "why"}}}),
       Scripted("Scores", {.score = [](const CycleContext&, const NodeView&) { return 0; },
                           .events = {{Resource::kNode, action::kAdd, "why"}}})});
  EXPECT_THAT(Registrations(*profile, "Filters"), ElementsAre("NodeAdd"));
  EXPECT_THAT(Registrations(*profile, "Tainted"), ElementsAre("NodeAdd|UpdateNodeTaint"));
  EXPECT_THAT(Registrations(*profile, "Scores"), ElementsAre());
}

TEST(Profile, IndexesPluginsAndSortsTheirNames) {
  TestCluster cluster;
  const auto profile =
      MakeProfile(cluster, {Scripted("Z", {.filter = Fits}), Scripted("A", {.filter = Fits})});
  PluginIndexSet both;
  both.Add(profile->IndexOf("Z").value());
  both.Add(profile->IndexOf("A").value());
  EXPECT_THAT(profile->NamesOf(both), ElementsAre("A", "Z"));
  EXPECT_EQ(profile->NameOf(*profile->IndexOf("Z")), "Z");
  EXPECT_EQ(profile->IndexOf("Other"), std::nullopt);
}

TEST(Profile, TranslatesSetsOfAnotherProfileByName) {
  TestCluster cluster;
  const auto before = MakeProfile(
      cluster, {Scripted("Gone", {.filter = Fits}), Scripted("Stays", {.filter = Fits})});
  const auto after = MakeProfile(
      cluster, {Scripted("Stays", {.filter = Fits}), Scripted("New", {.filter = Fits})});
  EXPECT_EQ(after->Translate(*before, IndexesOf(*before, {"Gone", "Stays"})),
            IndexesOf(*after, {"Stays"}));
}

TEST(Profile, ReturnsThePluginsRegisteredForAnEvent) {
  TestCluster cluster;
  const auto profile = MakeProfile(
      cluster,
      {Scripted("Nodes", {.filter = Fits, .events = {{Resource::kNode, action::kAdd, "room"}}}),
       Scripted("Pods", {.filter = Fits, .events = {{Resource::kPod, action::kDelete, "room"}}}),
       Scripted("Any", {.filter = Fits})});
  EXPECT_THAT(profile->NamesOf(profile->InterestedIn({Resource::kNode, action::kAdd, {}})),
              ElementsAre("Any", "Nodes"));
  EXPECT_THAT(
      profile->NamesOf(profile->InterestedIn({Resource::kAssignedPod, action::kDelete, {}})),
      ElementsAre("Any", "Pods"));
  EXPECT_TRUE(profile->InterestedIn({Resource::kPodGroup, action::kAdd, {}}).empty());
}

TEST(Profile, PluginWithoutEventsIsRegisteredForAll) {
  TestCluster cluster;
  const auto profile = MakeProfile(cluster, {Scripted("P", {.filter = Fits})});
  EXPECT_EQ(Registrations(*profile, "P").size(), 10u);
  const auto& first = profile->registrations().front();
  const auto pod = MakePod("p").Info(cluster.words());
  EXPECT_EQ(first.instance->Hint(*pod, first.event, {}), QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
