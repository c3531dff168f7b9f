// SPDX-License-Identifier: Apache-2.0
// Running schedulers and their pods, during changes and failures.
#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_stream.h"

namespace berth::e2e {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kPace{150};

class Scheduling : public ClusterTest {};

TEST_F(Scheduling, TogglesAPluginDuringAStreamOfPods) {
  CreateProfile("toggled");
  ASSERT_TRUE(EventuallyReady("toggled"));
  const std::set<std::string> before = Containers("toggled");
  PodStream stream(cluster_, ns_, "toggled", kPace);
  for (int i = 0; i < 3; ++i) {
    AwaitPlacements(4);
    PatchSpec("toggled", {{"plugins", {{"score", {{"disabled", {{{"name", "ImageLocality"}}}}}}}}});
    EXPECT_TRUE(EventuallyReady("toggled"));
    AwaitPlacements(4);
    PatchSpec("toggled", {{"plugins", nullptr}});
    EXPECT_TRUE(EventuallyReady("toggled"));
  }
  ExpectEverythingRuns(stream);
  EXPECT_EQ(Containers("toggled"), before) << "no container was restarted";
}

TEST_F(Scheduling, AnotherSchedulerTakesOverFromTheKilledLeader) {
  CreateProfile("twofold", {{"deployment", {{"replicas", 2}}}});
  ASSERT_TRUE(EventuallyReady("twofold"));
  ASSERT_TRUE(Eventually("two schedulers", seconds(30), [&]() -> std::string {
    const Json ready = At(cluster_.Get("sprof", "twofold"), "/status/scheduler/readyReplicas");
    return ready == 2 ? "" : ready.dump();
  }));
  PodStream stream(cluster_, ns_, "twofold", milliseconds(400));
  AwaitPlacements(3);
  const std::string leader = TextAt(cluster_.Get("sprof", "twofold"), "/status/scheduler/leader");
  const std::string pod = leader.substr(0, leader.find('_'));
  cluster_.Kubectl({"delete", "pod", "-n", kNamespace, pod, "--grace-period=0", "--force"});
  AwaitPlacements(5);
  ExpectEverythingRuns(stream);
}

TEST_F(Scheduling, EngineChangesLoseNoPodAndNeverRunTwoSchedulers) {
  CreateProfile("engines");
  ASSERT_TRUE(EventuallyReady("engines"));
  // The two nodes have room for 218 pods: for two minutes, which a busy machine needs.
  PodStream stream(cluster_, ns_, "engines", milliseconds(500));
  AwaitPlacements(4);
  const auto change_to = [&](const char* engine) {
    PatchSpec("engines", {{"engine", {{"type", engine}}}});
    EXPECT_TRUE(EventuallyReady("engines"));
    AwaitPlacements(4);
    EXPECT_EQ(SchedulerPods("engines").size(), 1U);
  };
  change_to("KubeScheduler");
  const Json program = At(SchedulerPods("engines").front(), "/spec/containers/0/command");
  EXPECT_EQ(program, Json::array({"kube-scheduler"}));
  change_to("Berth");
  // A kube-scheduler that gets SIGTERM aborts the bindings in flight. The API server has executed
  // some of them, and the kube-scheduler records no event for these.
  ExpectEverythingRuns(stream, /*may_lack_event=*/2);
}

TEST_F(Scheduling, RejectsAProfileWithAnUnknownPluginAtApply) {
  const ProcessOutcome outcome = cluster_.TryKubectl(
      {"apply", "-f", "-"},
      R"({"apiVersion": "berth.dev/v1alpha1", "kind": "SchedulerProfile", "metadata": {"name": "typo"},
          "spec": {"plugins": {"score": {"disabled": [{"name": "ImageLocalty"}]}}}})");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("spec.plugins.score.disabled[name=ImageLocalty]: unknown plugin; "
                             "nearest: ImageLocality"),
            std::string::npos)
      << outcome.err;
  EXPECT_TRUE(cluster_.Get("sprof", "typo").is_null());
}

TEST_F(Scheduling, OperatorErrorKeepsTheOldConfigurationActive) {
  CreateProfile("mistaken");
  ASSERT_TRUE(EventuallyReady("mistaken"));
  const std::set<std::string> before = Containers("mistaken");
  PatchSpec("mistaken", {{"pluginConfig",
                          {{{"name", "NodeResourcesFit"},
                            {"args", {{"scoringStrategy", {{"type", "MostAlocated"}}}}}}}}});
  EXPECT_TRUE(EventuallyHas("mistaken", "Valid", "False", "InvalidArgs"));
  EXPECT_TRUE(EventuallyHas("mistaken", "Available", "True", "SchedulerReady"));
  const std::string message =
      Condition(cluster_.Get("sprof", "mistaken"), "Valid").value("message", "");
  EXPECT_NE(message.find("MostAlocated"), std::string::npos) << message;
  cluster_.Create("pod", ns_, PausePod(ns_, "served", "mistaken"));
  EXPECT_TRUE(EventuallyRun({"served"}));
  EXPECT_EQ(Containers("mistaken"), before);
}

TEST_F(Scheduling, ReportsAnImageThatCannotBePulled) {
  // The nodes have the image, but no registry to pull it from.
  CreateProfile("unfetched", {{"engine", {{"imagePullPolicy", "Always"}}}});
  EXPECT_TRUE(Eventually("Available of unfetched", seconds(60), [&]() -> std::string {
    const Json available = Condition(cluster_.Get("sprof", "unfetched"), "Available");
    const std::string reason = available.value("reason", "");
    const bool is_named = available.value("status", "") == "False" &&
                          (reason == "ErrImagePull" || reason == "ImagePullBackOff") &&
                          available.value("message", "").find("berth") != std::string::npos;
    return is_named ? "" : available.dump();
  }));
}

}  // namespace
}  // namespace berth::e2e
