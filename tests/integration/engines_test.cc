// SPDX-License-Identifier: Apache-2.0
// A kube-scheduler instead of Berth's scheduler, and changes between the two.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

const Json kKubeScheduler = {{"engine", {{"type", "KubeScheduler"}}}};
const Json kBerth = {{"engine", {{"type", "Berth"}}}};

class Engines : public ProfileTest {
 protected:
  Json Deployment(const std::string& profile) {
    return cluster_.Get("deployment", "berth-" + profile, kNamespace);
  }

  // Returns the configuration version of the Deployment's pod template; null if the pods follow a
  // ConfigMap.
  static Json VersionIn(const Json& deployment) {
    return At(deployment, "/spec/template/metadata/annotations/berth.dev~1config-version");
  }

  // Returns the names of the profile's objects of a kind.
  std::set<std::string> Names(const std::string& kind, const std::string& profile) {
    std::set<std::string> names;
    const std::string ns = kind == "clusterrolebinding" ? "" : kNamespace;
    for (const Json& object : cluster_.List(kind, ns, "berth.dev/profile=" + profile)) {
      names.insert(object["metadata"]["name"]);
    }
    return names;
  }

  // Waits until these are the only objects of that kind left of the profile.
  testing::AssertionResult EventuallyOnly(const std::string& kind, const std::string& profile,
                                          const std::set<std::string>& names) {
    return Eventually("nothing but these", seconds(10), [&]() -> std::string {
      cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=" + profile);
      const std::set<std::string> found = Names(kind, profile);
      return found == names ? "" : Json(found).dump();
    });
  }
};

TEST_F(Engines, EngineChangeRemovesObjectsOfTheOldEngine) {
  CreateProfile("engines");
  const std::set<std::string> berths = Names("clusterrolebinding", "engines");
  EXPECT_EQ(Names("configmap", "engines"), std::set<std::string>{"berth-engines"});

  PatchSpec("engines", kKubeScheduler);
  EXPECT_TRUE(EventuallyOnly("clusterrolebinding", "engines",
                             {"berth:engines:kube-scheduler", "berth:engines:volume-scheduler"}));
  const std::string version = VersionIn(Deployment("engines"));
  EXPECT_TRUE(EventuallyOnly("configmap", "engines", {"berth-engines-" + version}));
  const Json config_map = cluster_.Get("configmap", "berth-engines-" + version, kNamespace);
  EXPECT_EQ(config_map.value("immutable", false), true);
  EXPECT_EQ(At(Profile("engines"), "/status/scheduler/configHash"), version);

  PatchSpec("engines", kBerth);
  EXPECT_TRUE(EventuallyOnly("clusterrolebinding", "engines", berths));
  EXPECT_TRUE(EventuallyOnly("configmap", "engines", {"berth-engines"}));
  EXPECT_TRUE(VersionIn(Deployment("engines")).is_null());
}

TEST_F(Engines, RestartedSchedulerHoldsItsLeaseWithoutElection) {
  CreateProfile("restarted", {{"rollout", {{"strategy", "Restart"}}},
                              {"leaderElection", {{"leaderElect", false}}}});
  AddNode("restarted-1", "4");
  const SchedulerProcess scheduler(cluster_, "restarted");
  AddPod("restarted-pod", "restarted", "1");
  EXPECT_TRUE(EventuallyBound("restarted-pod", "restarted-1")) << scheduler.Output();
  EXPECT_TRUE(Eventually("the configuration to be applied", seconds(10), [&]() -> std::string {
    cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=restarted");
    const Json applied = Condition(Profile("restarted"), "ConfigApplied");
    return applied.value("status", "") == "True" ? "" : applied.dump();
  }));
  EXPECT_EQ(Reported("restarted", "applied-config-hash"), VersionIn(Deployment("restarted")));
}

// KubeSchedulerProcess is the fixture for tests with the kube-scheduler that was built with the
// control plane.
class KubeSchedulerProcess : public Engines {
 protected:
  void SetUp() override {
    if (!cluster_.control_plane().IsReal()) {
      GTEST_SKIP() << "sandbox/ does not serve all requests of a kube-scheduler";
    }
  }

  void TearDown() override {
    for (int i = 0; i < streamed_; ++i) pods_.push_back("stream-" + std::to_string(i));
    Engines::TearDown();
  }

  // Waits like Eventually and adds a pod before each check.
  testing::AssertionResult EventuallyStreaming(const std::string& what,
                                               const std::function<std::string()>& complaint) {
    return Eventually(what, seconds(40), [&] {
      cluster_.AddPod("stream-" + std::to_string(streamed_++), "swap", "10m", Json::object());
      return complaint();
    });
  }

  // Returns the pods that a scheduler has bound by its log: both programs log "ound pod" and
  // pod="NAMESPACE/NAME".
  static std::set<std::string> BoundIn(const std::string& log) {
    std::set<std::string> bound;
    static const std::string kBegin = "pod=\"default/";
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      const size_t pod = line.find(kBegin);
      if (line.find("ound pod") == line.npos || pod == line.npos) continue;
      const size_t begin = pod + kBegin.size();
      bound.insert(line.substr(begin, line.find('"', begin) - begin));
    }
    return bound;
  }

  std::string Holder() {
    const Json holder = At(cluster_.Get("lease", "berth-swap", kNamespace), "/spec/holderIdentity");
    return holder.is_string() ? holder.get<std::string>() : "";
  }

  // Changes the profile while pods are added, and starts the process of the new engine. The old
  // process stops once the new one is a standby, as in the Deployment's rolling update.
  std::unique_ptr<SchedulerProcess> ChangeEngine(const Json& spec, SchedulerProcess& old,
                                                 const std::string& stands_by) {
    const Json before = VersionIn(Deployment("swap"));
    const std::string old_holder = Holder();
    PatchSpec("swap", spec);
    EXPECT_TRUE(EventuallyStreaming("the new Deployment", [&]() -> std::string {
      return VersionIn(Deployment("swap")) != before ? "" : "as before";
    }));
    auto next = std::make_unique<SchedulerProcess>(cluster_, "swap");
    EXPECT_TRUE(EventuallyStreaming("the new scheduler to be a standby", [&]() -> std::string {
      return next->Output().find(stands_by) != std::string::npos ? "" : next->Output();
    }));
    EXPECT_TRUE(Eventually("the new scheduler to be ready", seconds(5),
                           [&] { return next->IsReady() ? "" : "it is not"; }));
    EXPECT_EQ(Holder(), old_holder) << "the old scheduler still runs";
    EXPECT_EQ(Names("clusterrolebinding", "swap").contains("berth:swap:base"), true);
    EXPECT_EQ(Names("clusterrolebinding", "swap").contains("berth:swap:kube-scheduler"), true);
    EXPECT_EQ(old.process().Stop(), 0) << old.Output();
    EXPECT_TRUE(EventuallyStreaming("Ready of the new engine", [&]() -> std::string {
      cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=swap");
      const Json ready = Condition(Profile("swap"), "Ready");
      return ready.value("status", "") == "True" ? "" : ready.dump();
    }));
    EXPECT_NE(Holder(), old_holder);
    return next;
  }

  int streamed_ = 0;
};

TEST_F(KubeSchedulerProcess, AcceptsRenderedFilesAndHasAllPermissions) {
  const Json heavy = {{"name", "ImageLocality"}, {"weight", 5}};
  const Json args = {{"scoringStrategy", {{"type", "MostAllocated"}}}};
  CreateProfile("stock", {{"engine", {{"type", "KubeScheduler"}}},
                          {"aliases", {"stock-too", "of.any/form/as waiting"}},
                          {"percentageOfNodesToScore", 50},
                          {"plugins", {{"multiPoint", {{"enabled", {heavy}}}}}},
                          {"pluginConfig", {{{"name", "NodeResourcesFit"}, {"args", args}}}},
                          {"extenders",
                           {{{"urlPrefix", "https://veto.berth-system.svc"},
                             {"filterVerb", "filter"},
                             {"httpTimeout", "2s"},
                             {"ignorable", true},
                             {"managedResources", {{{"name", "example.com/device"}}}}}}},
                          {"logging", {{"format", "json"}}}});
  AddNode("stock-1", "4");
  AddPod("stock-pod", "stock", "1");
  AddPod("stock-alias", "stock-too", "1");
  SchedulerProcess scheduler(cluster_, "stock");
  EXPECT_TRUE(EventuallyBound("stock-pod", "stock-1")) << scheduler.Output();
  EXPECT_TRUE(EventuallyBound("stock-alias", "stock-1"));
  EXPECT_TRUE(scheduler.IsLive());
  EXPECT_TRUE(scheduler.IsReady());
  EXPECT_EQ(scheduler.Answer("/metrics"), 403);
  EXPECT_EQ(scheduler.process().Stop(), 0);
  const std::string output = scheduler.Output();
  EXPECT_EQ(output.find("orbidden"), std::string::npos) << output;
  EXPECT_EQ(output.find("extension-apiserver-authentication"), std::string::npos) << output;
}

TEST_F(KubeSchedulerProcess, EachEngineWaitsForTheLeaseOfTheKilledOther) {
  CreateProfile("killed", {{"leaderElection",
                            {{"leaderElect", false},
                             {"leaseDuration", "4s"},
                             {"renewDeadline", "3s"},
                             {"retryPeriod", "500ms"}}}});
  AddNode("killed-1", "4");
  const auto takes_over_from = [this](Process& old, const std::string& pod) {
    const Json before = cluster_.Get("lease", "berth-killed", kNamespace)["spec"];
    old.Kill();
    AddPod(pod, "killed", "100m");
    EXPECT_TRUE(
        Always("the Lease has no holder before it expires", seconds(2), [&]() -> std::string {
          const Json now = cluster_.Get("lease", "berth-killed", kNamespace)["spec"];
          return now["holderIdentity"] == before["holderIdentity"] ? "" : now.dump();
        }));
    EXPECT_EQ(cluster_.NodeOf(pod), "");
    EXPECT_TRUE(EventuallyBound(pod, "killed-1"));
  };
  SchedulerProcess berth(cluster_, "killed");
  AddPod("killed-before", "killed", "100m");
  EXPECT_TRUE(EventuallyBound("killed-before", "killed-1"));

  PatchSpec("killed", kKubeScheduler);
  EXPECT_TRUE(Eventually("the new Deployment", seconds(5), [&] {
    return VersionIn(Deployment("killed")).is_null() ? "as before" : "";
  }));
  SchedulerProcess kube(cluster_, "killed");
  EXPECT_TRUE(Eventually("the kube-scheduler to be a standby", seconds(10),
                         [&] { return kube.IsReady() ? "" : "it does not"; }));
  takes_over_from(berth.process(), "killed-first");

  PatchSpec("killed", kBerth);
  EXPECT_TRUE(Eventually("the next Deployment", seconds(5), [&] {
    return VersionIn(Deployment("killed")).is_null() ? "" : "as before";
  }));
  SchedulerProcess next(cluster_, "killed");
  EXPECT_TRUE(Eventually("Berth's scheduler to be a standby", seconds(10),
                         [&] { return next.IsReady() ? "" : "it does not"; }));
  takes_over_from(kube.process(), "killed-second");
}

TEST_F(KubeSchedulerProcess, EngineChangesLoseNoPods) {
  CreateProfile("swap");
  for (int i = 0; i < 10; ++i) AddNode("swap-" + std::to_string(i), "64");
  auto first = std::make_unique<SchedulerProcess>(cluster_, "swap");
  EXPECT_TRUE(EventuallyStreaming("Ready", [&]() -> std::string {
    cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=swap");
    const Json ready = Condition(Profile("swap"), "Ready");
    return ready.value("status", "") == "True" ? "" : ready.dump();
  }));

  auto second = ChangeEngine(kKubeScheduler, *first, "Attempting to acquire leader lease");
  std::vector<std::set<std::string>> bound = {BoundIn(first->Output())};
  first.reset();
  auto third = ChangeEngine(kBerth, *second, "Saw leader");
  bound.push_back(BoundIn(second->Output()));

  // No pod is lost.
  std::map<uint64_t, std::string> by_binding;  // no later writes to the pods
  EXPECT_TRUE(Eventually("all pods bound", seconds(20), [&]() -> std::string {
    by_binding.clear();
    for (int i = 0; i < streamed_; ++i) {
      const Json pod = cluster_.Get("pod", "stream-" + std::to_string(i), "default");
      if (!At(pod, "/spec/nodeName").is_string()) return pod["metadata"]["name"];
      const std::string version = pod["metadata"]["resourceVersion"];
      by_binding[std::stoull(version)] = pod["metadata"]["name"];
    }
    return "";
  }));
  bound.push_back(BoundIn(third->Output()));
  EXPECT_EQ(third->process().Stop(), 0);

  // Each pod was bound by one scheduler, and each scheduler stopped before the next one started.
  size_t turn = 0;
  for (const auto& [version, bound_pod] : by_binding) {
    const std::string& pod = bound_pod;
    while (turn < bound.size() && !bound[turn].contains(pod)) ++turn;
    ASSERT_LT(turn, bound.size()) << pod << " was bound out of turn";
    const auto by =
        std::ranges::count_if(bound, [&pod](const auto& of) { return of.contains(pod); });
    EXPECT_EQ(by, 1) << pod;
  }
  for (const auto& pods : bound) EXPECT_GT(pods.size(), 1u);
  EXPECT_TRUE(EventuallyOnly("configmap", "swap", {"berth-swap"}));
}

}  // namespace
}  // namespace berth::integration
