// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/extender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/registry.h"
#include "tests/scheduler/framework/scripted_plugin.h"
#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::FilterAll;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeExtenders;
using testing::MakeNamespace;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::PodBuilder;
using testing::ScriptedExtender;
using testing::TestCluster;

TEST(ExtenderName, IsTheServiceNameOrTheHost) {
  const std::pair<const char*, const char*> kCases[] = {
      {"https://gpu.kube-system.svc/scheduler", "gpu"},
      {"http://gpu.kube-system.svc:8080", "gpu"},
      {"https://GPU.kube-system.svc.cluster.local/", "gpu"},
      {"https://gpu.example.com/scheduler", "gpu.example.com"},
      {"https://gpu.svc", "gpu.svc"},
      {"http://127.0.0.1:8888/", "127.0.0.1"},
      {"no url", ""},
  };
  for (const auto& [url, name] : kCases) EXPECT_EQ(ExtenderName(url), name) << url;
}

class ExtenderInterest : public ::testing::Test {
 protected:
  bool IsInterestedIn(const PodBuilder& pod) {
    const auto extenders = MakeExtenders(cluster_.handle(), {&script_});
    const auto info = pod.Info(cluster_.words());
    return extenders->all().front().IsInterestedIn(*info, cluster_.snapshot());
  }
  void Manage(const std::string& resource) { script_.spec.managed_resources.push_back({resource}); }

  TestCluster cluster_;
  ScriptedExtender script_{"https://gpu.infra.svc/v1"};
};

TEST_F(ExtenderInterest, IsInAllPodsByDefault) {
  EXPECT_TRUE(IsInterestedIn(MakePod("p")));
  EXPECT_TRUE(IsInterestedIn(MakePod("p").Requests("cpu=1")));
}

TEST_F(ExtenderInterest, IsInPodsThatUseAManagedResource) {
  Manage("example.com/gpu");
  Manage("example.com/fpga");
  EXPECT_FALSE(IsInterestedIn(MakePod("none")));
  EXPECT_FALSE(IsInterestedIn(MakePod("other").Requests("cpu=1,example.com/nic=1")));
  EXPECT_TRUE(IsInterestedIn(MakePod("one").Requests("example.com/gpu=1")));
  EXPECT_TRUE(IsInterestedIn(MakePod("second").Requests("cpu=1").Requests("example.com/fpga=2")));
  EXPECT_TRUE(IsInterestedIn(MakePod("init").Requests("cpu=1").InitContainer("example.com/gpu=1")));
  EXPECT_TRUE(IsInterestedIn(MakePod("sidecar").Sidecar("example.com/gpu=1")));
  PodBuilder limited = MakePod("limited").Requests("cpu=1");
  limited.raw().spec.containers.front().resources.limits =
      testing::ResourcesOf("example.com/gpu=1");
  EXPECT_TRUE(IsInterestedIn(limited));
  // Like upstream, only containers are checked.
  EXPECT_FALSE(IsInterestedIn(MakePod("overhead").Overhead("example.com/gpu=1")));
}

TEST_F(ExtenderInterest, IsLimitedByPodSelector) {
  script_.spec.pod_selector.emplace().match_labels = {{"app", "ml"}};
  EXPECT_FALSE(IsInterestedIn(MakePod("p")));
  EXPECT_FALSE(IsInterestedIn(MakePod("p").Label("app", "web")));
  EXPECT_TRUE(IsInterestedIn(MakePod("p").Label("app", "ml")));
  Manage("example.com/gpu");
  EXPECT_FALSE(IsInterestedIn(MakePod("p").Label("app", "ml")));
  EXPECT_TRUE(IsInterestedIn(MakePod("p").Label("app", "ml").Requests("example.com/gpu=1")));
}

TEST_F(ExtenderInterest, NamespaceSelectorUsesCurrentLabels) {
  script_.spec.namespace_selector.emplace().match_labels = {{"team", "ml"}};
  const PodBuilder pod = MakePod("p").Namespace("lab");
  EXPECT_FALSE(IsInterestedIn(pod)) << "an unknown namespace has no labels";
  cluster_.cache().Put(MakeNamespace("lab", {{"team", "ml"}}));
  EXPECT_TRUE(IsInterestedIn(pod));
  EXPECT_FALSE(IsInterestedIn(MakePod("p").Namespace("shop")));
  cluster_.cache().Put(MakeNamespace("lab", {{"team", "web"}}));
  EXPECT_FALSE(IsInterestedIn(pod));
}

TEST_F(ExtenderInterest, EmptySelectorMatchesAllPods) {
  script_.spec.pod_selector.emplace();
  script_.spec.namespace_selector.emplace();
  EXPECT_TRUE(IsInterestedIn(MakePod("p")));
}

TEST_F(ExtenderInterest, ExcludesItsOwnPods) {
  EXPECT_FALSE(IsInterestedIn(MakePod("own").Label("berth.dev/extender", "gpu")));
  EXPECT_TRUE(IsInterestedIn(MakePod("other's").Label("berth.dev/extender", "fpga")));
  script_.spec.url_prefix = "not an address";
  EXPECT_TRUE(IsInterestedIn(MakePod("other").Label("berth.dev/extender", "")));
}

std::vector<std::string> UrlsOf(const std::vector<const Extender*>& extenders) {
  std::vector<std::string> urls;
  for (const Extender* extender : extenders) urls.push_back(extender->url());
  return urls;
}

TEST(Extenders, NonIgnorableExtendersComeFirst) {
  TestCluster cluster;
  ScriptedExtender a("http://a"), b("http://b"), c("http://c"), d("http://d");
  a.Ignorable();
  c.Ignorable();
  const auto extenders = MakeExtenders(cluster.handle(), {&a, &b, &c, &d});
  const auto pod = MakePod("p").Info(cluster.words());
  EXPECT_THAT(UrlsOf(extenders->InterestedIn(*pod, cluster.snapshot()).list),
              ElementsAre("http://b", "http://d", "http://a", "http://c"));
}

TEST(Extenders, ReportTheirVerbs) {
  TestCluster cluster;
  ScriptedExtender idle("http://a"), filters("http://b"), scores("http://c");
  filters.Filters();
  scores.Scores(1);
  const auto none = MakeExtenders(cluster.handle(), {&idle});
  EXPECT_FALSE(none->filter() || none->score() || none->read_namespaces());
  EXPECT_TRUE(MakeExtenders(cluster.handle(), {&idle, &filters})->filter());
  EXPECT_TRUE(MakeExtenders(cluster.handle(), {&scores, &idle})->score());
}

TEST(Extenders, ErrorsNameThePathOfTheExtender) {
  TestCluster cluster;
  const auto error_of = [&](const api::Extender& bad) {
    const std::vector<api::Extender> specs = {{}, bad};
    const auto made = Extenders::Create(
        specs,
        [](const api::Extender& spec) -> Result<std::unique_ptr<ExtenderPort>> {
          if (spec.url_prefix == "bad") return ConfigError("bad address");
          return nullptr;
        },
        cluster.handle());
    return made ? "no error" : made.error().message();
  };
  EXPECT_EQ(error_of({}), "no error");
  api::Extender extender;
  extender.url_prefix = "bad";
  EXPECT_EQ(error_of(extender), "couldn't build extenders: extenders[1]: bad address");
  api::LabelSelector selector;
  selector.match_expressions = {{.key = "app", .op = "Among"}};
  extender = {};
  extender.pod_selector = selector;
  EXPECT_THAT(error_of(extender), HasSubstr("extenders[1]: podSelector: "));
  extender = {};
  extender.namespace_selector = selector;
  EXPECT_THAT(error_of(extender), HasSubstr("extenders[1]: namespaceSelector: "));
}

TEST(Extenders, ReportsTheExtenderBeingCalled) {
  TestCluster cluster;
  cluster.Add(MakeNode("n"));
  PluginCalls calls;
  PluginHandle handle = cluster.handle();
  handle.calls = &calls;
  std::vector<std::string> seen;
  const auto look = [&] { seen.push_back(calls.Now()->plugin + " " + calls.Now()->point); };
  ScriptedExtender script("http://a");
  script.filter = [&](const auto&, const auto&, auto) {
    look();
    return ExtenderVerdicts();
  };
  script.prioritize = [&](const auto&, const auto&, auto) {
    look();
    return ScriptedExtender::Scored();
  };
  script.preempt = [&](const auto&, auto) {
    look();
    return std::vector<Candidate>();
  };
  const auto extenders = MakeExtenders(handle, {&script});
  const Extender& extender = extenders->all().front();
  Cycle cycle(cluster, MakePod("p"));
  EXPECT_TRUE(extender.Filter(cycle.context(), {}));
  EXPECT_TRUE(extender.Await(extender.Prioritize(cycle.context(), {})));
  EXPECT_TRUE(extender.Preempt(cycle.context(), {}));
  EXPECT_THAT(seen, ElementsAre("http://a Filter", "http://a Prioritize", "http://a Preempt"));
  EXPECT_EQ(calls.Now(), nullptr);
}

TEST(Extenders, AreOnePluginRegisteredForAllEvents) {
  TestCluster cluster;
  EXPECT_FALSE(MakeProfile(cluster, {})->IndexOf(kExtenderPlugin).has_value());
  ScriptedExtender a("http://a"), b("http://b");
  const auto profile =
      MakeProfile(cluster,
                  {testing::Scripted(
                      "F", {.filter = [](const auto&, const auto&) { return Verdict::Fits(); }})},
                  0, MakeExtenders(cluster.handle(), {&a, &b}));
  ASSERT_TRUE(profile->IndexOf("Extender").has_value());
  EXPECT_EQ(profile->registrations().front().plugin, "Extender");
  std::vector<std::string> events;
  for (const Profile::Registration& each : profile->registrations()) {
    if (each.plugin == "Extender") events.push_back(each.event.Label());
    EXPECT_EQ(profile->NameOf(each.index), each.plugin);
  }
  EXPECT_THAT(events,
              ElementsAre("PodAll", "NodeAll", "PersistentVolumeAll", "PersistentVolumeClaimAll",
                          "storage.k8s.io/CSINodeAll", "storage.k8s.io/CSIDriverAll",
                          "storage.k8s.io/CSIStorageCapacityAll", "storage.k8s.io/StorageClassAll",
                          "resource.k8s.io/ResourceClaimAll", "resource.k8s.io/DeviceClassAll"));
  const auto interested = profile->InterestedIn({Resource::kAssignedPod, action::kDelete, {}});
  EXPECT_TRUE(interested.Has(*profile->IndexOf("Extender")));
  EXPECT_THAT(profile->filters().size(), 1u);
}

TEST(Extenders, EmptyListDoesNotChangeTheProfile) {
  TestCluster cluster;
  const auto profile = MakeProfile(cluster, {}, 0, MakeExtenders(cluster.handle(), {}));
  EXPECT_EQ(profile->extenders(), nullptr);
  EXPECT_FALSE(profile->IndexOf("Extender").has_value());
  EXPECT_THAT(profile->registrations(), IsEmpty());
}

TEST(Extenders, NamespaceSelectorMakesProfileReadNamespaces) {
  TestCluster cluster;
  ScriptedExtender script("http://a");
  const auto reads = [&] {
    return MakeProfile(cluster, {}, 0, MakeExtenders(cluster.handle(), {&script}))->reads();
  };
  EXPECT_EQ(reads(), ObjectKindSet());
  script.spec.namespace_selector.emplace();
  EXPECT_EQ(reads(), (ObjectKindSet{ObjectKind::kNamespace}));
}

// Returns the verdict of NodeResourcesFit for a node without any of these resources.
std::string FitOf(const std::vector<ScriptedExtender*>& scripts, const std::string& resource) {
  TestCluster cluster;
  cluster.Add(MakeNode("n").Allocatable("cpu=4"));
  api::KubeSchedulerProfile spec;
  spec.plugin_config = {{"NodeResourcesFit", {R"({"ignoredResources":["example.com/own"]})"}}};
  const auto profiles = CreateProfiles(std::vector{spec}, 0, MakeRegistry(), cluster.handle(),
                                       MakeExtenders(cluster.handle(), scripts));
  const Profile& profile = *profiles->begin()->second;
  Cycle cycle(cluster, MakePod("p").Requests(resource + "=1"));
  return FilterAll(profile.plugin(profile.IndexOf("NodeResourcesFit").value()), cycle).at("n");
}

TEST(Extenders, IgnoredResourcesReplaceNodeResourcesFitArgument) {
  ScriptedExtender a("http://a"), b("http://b");
  a.spec.managed_resources = {{"example.com/gpu", true}, {"example.com/nic", false}};
  b.spec.managed_resources = {{"example.com/fpga", true}};
  EXPECT_EQ(FitOf({}, "example.com/own"), "Success");
  EXPECT_EQ(FitOf({}, "example.com/gpu"),
            "UnschedulableAndUnresolvable: Insufficient example.com/gpu");
  EXPECT_EQ(FitOf({&a, &b}, "example.com/gpu"), "Success");
  EXPECT_EQ(FitOf({&a, &b}, "example.com/fpga"), "Success");
  EXPECT_EQ(FitOf({&a, &b}, "example.com/nic"),
            "UnschedulableAndUnresolvable: Insufficient example.com/nic");
  EXPECT_EQ(FitOf({&a, &b}, "example.com/own"),
            "UnschedulableAndUnresolvable: Insufficient example.com/own");
  a.spec.managed_resources = {{"example.com/nic", false}};
  EXPECT_EQ(FitOf({&a}, "example.com/own"), "Success")
      << "no resource is ignored, so the argument is kept";
}

}  // namespace
}  // namespace berth::scheduler
