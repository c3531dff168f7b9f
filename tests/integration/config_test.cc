// SPDX-License-Identifier: Apache-2.0
// How a profile's configuration reaches the running scheduler, and how the scheduler rejects an
// invalid one.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr const char* kConfigKey = "scheduler-config.yaml";
constexpr const char* kLastGoodKey = "last-good.yaml";
constexpr const char* kAppliedHash = "applied-config-hash";
constexpr const char* kConfigError = "config-error";

Json Disabled(const std::string& plugin) {
  return {{"plugins", {{"multiPoint", {{"disabled", {{{"name", plugin}}}}}}}}};
}

Json Weighted(const std::string& plugin, int weight) {
  return {{"plugins", {{"multiPoint", {{"enabled", {{{"name", plugin}, {"weight", weight}}}}}}}}};
}

// Returns a pod spec that prefers nodes with that label.
Json Prefers(const std::string& key) {
  const Json term = {
      {"weight", 1},
      {"preference", {{"matchExpressions", {{{"key", key}, {"operator", "Exists"}}}}}}};
  return {{"affinity",
           {{"nodeAffinity",
             {{"preferredDuringSchedulingIgnoredDuringExecution", Json::array({term})}}}}}};
}

class Configuration : public ProfileTest {
 protected:
  std::string WantedHash(const std::string& profile) {
    const Json hash = At(Profile(profile), "/status/scheduler/configHash");
    return hash.is_string() ? hash.get<std::string>() : "";
  }
};

TEST_F(Configuration, DisabledPluginReachesTheRunningScheduler) {
  CreateProfile("disable");
  AddNode("disable-1", "4");
  cluster_.Patch("node", "disable-1", "", {{"spec", {{"unschedulable", true}}}});
  AddPod("disable-pod", "disable", "1");
  SchedulerProcess scheduler(cluster_, "disable");
  EXPECT_TRUE(
      EventuallyRejected("disable-pod", "0/1 nodes are available: 1 node(s) were unschedulable."));
  EXPECT_TRUE(EventuallyApplied("disable"));
  const std::string first_hash = Reported("disable", kAppliedHash);
  const Json deployment = cluster_.Get("deployment", "berth-disable", kNamespace);

  PatchSpec("disable", Disabled("NodeUnschedulable"));
  EXPECT_TRUE(EventuallyBound("disable-pod", "disable-1"));
  EXPECT_TRUE(EventuallyApplied("disable"));
  EXPECT_EQ(Reported("disable", kAppliedHash), WantedHash("disable"));
  EXPECT_NE(WantedHash("disable"), first_hash);
  EXPECT_TRUE(scheduler.process().IsRunning());
  EXPECT_EQ(At(cluster_.Get("deployment", "berth-disable", kNamespace), "/spec/template"),
            At(deployment, "/spec/template"));
}

TEST_F(Configuration, EnablingElectionReplacesThePods) {
  CreateProfile("elect", {{"leaderElection", {{"leaderElect", false}}}});
  const auto annotations = [&] {
    return At(cluster_.Get("deployment", "berth-elect", kNamespace),
              "/spec/template/metadata/annotations");
  };
  const Json before = annotations();
  {
    SchedulerProcess lone(cluster_, "elect");
    EXPECT_TRUE(EventuallyApplied("elect"));
    PatchSpec("elect",
              {{"leaderElection", {{"leaderElect", true}}}, {"deployment", {{"replicas", 2}}}});
    EXPECT_TRUE(EventuallyHas("elect", "ConfigApplied", "False", "RestartNeeded"));
    EXPECT_NE(annotations(), before) << "the Deployment rolls out new pods";
    EXPECT_TRUE(Condition(Profile("elect"), "Stalled").empty());
    EXPECT_EQ(lone.process().Stop(), 0);
  }
  const SchedulerProcess elected(cluster_, "elect");
  EXPECT_TRUE(EventuallyApplied("elect"));
}

TEST_F(Configuration, WeightDecidesBetweenTwoNodes) {
  CreateProfile("weight");
  AddNode("weight-full", "4", {{"preferred", "yes"}});
  AddNode("weight-empty", "4");
  AddPod("weight-filler", "nobody", "3", {{"nodeName", "weight-full"}});
  const SchedulerProcess scheduler(cluster_, "weight");
  EXPECT_TRUE(EventuallyApplied("weight"));
  // NodeAffinity has weight 2 and NodeResourcesFit 1.
  AddPod("weight-before", "weight", "200m", Prefers("preferred"));
  EXPECT_TRUE(EventuallyBound("weight-before", "weight-full"));

  PatchSpec("weight", Weighted("NodeResourcesFit", 20));
  EXPECT_TRUE(EventuallyApplied("weight"));
  AddPod("weight-after", "weight", "200m", Prefers("preferred"));
  EXPECT_TRUE(EventuallyBound("weight-after", "weight-empty"));
}

TEST_F(Configuration, RejectedConfigKeepsTheLastValidOneRunning) {
  // With a custom image, only the scheduler validates plugin names.
  CreateProfile("refused", {{"engine", {{"image", "example.com/custom:1"}}}});
  AddNode("refused-1", "4");
  const SchedulerProcess scheduler(cluster_, "refused");
  EXPECT_TRUE(EventuallyApplied("refused"));
  const std::string good_hash = Reported("refused", kAppliedHash);
  const std::string good = Rendered("refused", kConfigKey);

  PatchSpec("refused",
            {{"plugins", {{"score", {{"enabled", {{{"name", "NodeAfinity"}, {"weight", 1}}}}}}}}});
  EXPECT_TRUE(EventuallyHas("refused", "ConfigApplied", "False", "ConfigRefused"));
  EXPECT_TRUE(EventuallyHas("refused", "Ready", "False", "ConfigRefused"));
  const std::string error = Reported("refused", kConfigError);
  for (const char* part : {"scheduler-config.yaml", "plugins.score.enabled[0]", "NodeAfinity",
                           "nearest: NodeAffinity"}) {
    EXPECT_NE(error.find(part), std::string::npos) << part << " is missing in: " << error;
  }
  EXPECT_EQ(Condition(Profile("refused"), "ConfigApplied").value("message", ""), error);
  EXPECT_EQ(Reported("refused", kAppliedHash), good_hash);
  EXPECT_EQ(Rendered("refused", kLastGoodKey), good);
  AddPod("refused-pod", "refused", "1");
  EXPECT_TRUE(EventuallyBound("refused-pod", "refused-1"));

  PatchSpec("refused", {{"plugins", nullptr}});
  EXPECT_TRUE(EventuallyApplied("refused"));
  EXPECT_TRUE(Eventually("no error on the Lease", seconds(5),
                         [&] { return Reported("refused", kConfigError); }));
}

TEST_F(Configuration, SchedulerStartsWithTheLastValidConfigIfRejected) {
  CreateProfile("fallback", {{"engine", {{"image", "example.com/custom:1"}}}});
  AddNode("fallback-1", "4");
  {
    SchedulerProcess scheduler(cluster_, "fallback");
    EXPECT_TRUE(EventuallyApplied("fallback"));
    EXPECT_TRUE(Eventually("last-good.yaml", seconds(5), [&]() -> std::string {
      const std::string text = Rendered("fallback", kLastGoodKey);
      return text == Rendered("fallback", kConfigKey) ? "" : text;
    }));
    EXPECT_EQ(scheduler.process().Stop(), 0);
  }
  const std::string good_hash = Reported("fallback", kAppliedHash);
  PatchSpec("fallback", {{"plugins", {{"filter", {{"enabled", {{{"name", "Nothing"}}}}}}}}});
  EXPECT_TRUE(Eventually("the new configuration", seconds(5), [&]() -> std::string {
    return Rendered("fallback", kConfigKey).find("Nothing") != std::string::npos ? "" : "old";
  }));

  const SchedulerProcess scheduler(cluster_, "fallback");
  AddPod("fallback-pod", "fallback", "1");
  EXPECT_TRUE(EventuallyBound("fallback-pod", "fallback-1"));
  EXPECT_TRUE(EventuallyHas("fallback", "ConfigApplied", "False", "ConfigRefused"));
  EXPECT_EQ(Reported("fallback", kAppliedHash), good_hash);
  EXPECT_NE(Reported("fallback", kConfigError).find("\"Nothing\""), std::string::npos);
}

TEST_F(Configuration, LastGoodIsUpdatedOnceTheSchedulerAppliedIt) {
  CreateProfile("moved");
  EXPECT_EQ(Rendered("moved", kLastGoodKey), "");
  const std::string first = Rendered("moved", kConfigKey);
  const auto last_good_becomes = [&](const std::string& wanted) {
    return Eventually("last-good.yaml", seconds(5), [&]() -> std::string {
      const std::string text = Rendered("moved", kLastGoodKey);
      return text == wanted ? "" : "\n" + text;
    });
  };
  {
    const SchedulerProcess scheduler(cluster_, "moved");
    EXPECT_TRUE(last_good_becomes(first));
  }
  PatchSpec("moved", Weighted("NodeAffinity", 7));
  EXPECT_TRUE(Eventually("the new configuration", seconds(5), [&]() -> std::string {
    return Rendered("moved", kConfigKey) != first ? "" : "old";
  }));
  EXPECT_TRUE(Always("the old one is the last good", seconds(1), [&]() -> std::string {
    return Rendered("moved", kLastGoodKey) == first ? "" : "moved too early";
  }));
  const SchedulerProcess scheduler(cluster_, "moved");
  EXPECT_TRUE(last_good_becomes(Rendered("moved", kConfigKey)));
}

// A client that may edit the ConfigMap writes another configuration 50 times a second.
TEST_F(Configuration, TextOfAnotherClientIsNeverServed) {
  constexpr seconds kMinute{60};
  const char* const whole = std::getenv("BERTH_FULL_TESTS");
  const seconds length = whole != nullptr ? kMinute : seconds(10);
  if (whole == nullptr) {
    std::printf(
        "left out: 50 of the 60 seconds of a client that changes the ConfigMap; "
        "BERTH_FULL_TESTS=1 runs all\n");
  }
  CreateProfile("tampered");
  SchedulerProcess scheduler(cluster_, "tampered");
  EXPECT_TRUE(EventuallyApplied("tampered"));
  const std::string hash = WantedHash("tampered");
  const std::string rendered = Rendered("tampered", kConfigKey);
  std::string foreign = rendered;
  const std::string_view own_name = "schedulerName: tampered";
  foreign.replace(foreign.find(own_name), own_name.size(), "schedulerName: stolen");

  const size_t start = cluster_.operator_process().Output().size();
  const auto end = std::chrono::steady_clock::now() + length;
  auto next = std::chrono::steady_clock::now();
  int writes = 0;
  std::set<std::string> reported, last_good;
  while (next < end) {
    cluster_.Patch("configmap", "berth-tampered", kNamespace,
                   {{"data", {{kConfigKey, foreign}, {kLastGoodKey, foreign}}}});
    if (++writes % 10 == 0) reported.insert(Reported("tampered", kAppliedHash));
    next += std::chrono::milliseconds(20);
    std::this_thread::sleep_until(next);
  }
  EXPECT_GT(writes, 100);
  EXPECT_THAT(reported, testing::ElementsAre(hash));
  EXPECT_EQ(scheduler.Output().find("stolen"), std::string::npos) << scheduler.Output();
  // Set back five times, then once a minute.
  std::vector<std::string> corrections = CorrectionsSince(start);
  std::erase_if(corrections, [](const std::string& line) {
    return line.find("profile=\"tampered\"") == line.npos;
  });
  EXPECT_THAT(corrections, testing::SizeIs(testing::AllOf(testing::Ge(5U), testing::Le(6U))));
  // Equal events are one series only if the profile's status did not change between them.
  size_t events = 0;
  for (const Json& event : cluster_.List("event", "default")) {
    const bool is_drift = event.value("reason", "") == "DriftRepaired";
    events += is_drift && event.dump().find("berth-tampered") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(events, 1U);
  EXPECT_LE(events, corrections.size());
  EXPECT_EQ(At(Profile("tampered"), "/status/scheduler/appliedConfigHash"), hash);

  // A change of the profile ends the contest.
  PatchSpec("tampered", Weighted("NodeAffinity", 7));
  EXPECT_TRUE(EventuallyApplied("tampered"));
  EXPECT_TRUE(Eventually("the last good text", seconds(5), [&]() -> std::string {
    const std::string text = Rendered("tampered", kLastGoodKey);
    return text == Rendered("tampered", kConfigKey) ? "" : text;
  }));
  EXPECT_NE(WantedHash("tampered"), hash);
}

TEST_F(Configuration, BrokenFileIsIgnoredIfTheConfigMapIsValid) {
  CreateProfile("broken-file");
  AddNode("broken-file-1", "4");
  AddPod("broken-file-pod", "broken-file", "1");
  const SchedulerProcess scheduler(cluster_, "broken-file", {{kConfigKey, "profiles: ["}});
  EXPECT_TRUE(EventuallyBound("broken-file-pod", "broken-file-1")) << scheduler.Output();
  EXPECT_TRUE(EventuallyApplied("broken-file"));
  EXPECT_EQ(Reported("broken-file", kConfigError), "");
}

TEST_F(Configuration, ServesANewAliasAtOnce) {
  CreateProfile("alias");
  AddNode("alias-1", "4");
  AddPod("alias-pod", "former-scheduler", "1");
  const SchedulerProcess scheduler(cluster_, "alias");
  EXPECT_TRUE(EventuallyApplied("alias"));
  EXPECT_EQ(cluster_.NodeOf("alias-pod"), "");

  PatchSpec("alias", {{"aliases", {"former-scheduler"}}});
  EXPECT_TRUE(EventuallyBound("alias-pod", "alias-1"));
  EXPECT_TRUE(EventuallyApplied("alias"));
}

TEST_F(Configuration, NameMovesFromAliasOnceItsOwnSchedulerIsReady) {
  const auto gives = [this](const std::string& profile) {
    return Rendered(profile, kConfigKey).find("schedulerName: heir\n") != std::string::npos;
  };
  CreateProfile("regent", {{"aliases", {"heir"}}});
  AddNode("heir-1", "4");
  const SchedulerProcess regent(cluster_, "regent");
  AddPod("heir-before", "heir", "1");
  EXPECT_TRUE(EventuallyBound("heir-before", "heir-1"));

  CreateProfile("heir");
  const SchedulerProcess heir(cluster_, "heir");
  EXPECT_TRUE(EventuallyApplied("heir"));
  EXPECT_TRUE(gives("regent")) << "without a ready pod no other scheduler could serve it";
  EXPECT_FALSE(gives("heir"));
  EXPECT_TRUE(Eventually("the hand-over", seconds(10), [&]() -> std::string {
    cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=heir");
    return gives("heir") ? "" : Condition(Profile("heir"), "Ready").dump();
  }));
  EXPECT_FALSE(gives("regent"));
  EXPECT_TRUE(EventuallyHas("heir", "Ready", "True", "Ready"));
  AddPod("heir-after", "heir", "1");
  EXPECT_TRUE(EventuallyBound("heir-after", "heir-1"));
}

TEST_F(Configuration, StoppedLeaderReleasesTheLeaseAtOnce) {
  CreateProfile("handover", {{"deployment", {{"replicas", 2}}}});
  AddNode("handover-1", "4");
  SchedulerProcess first(cluster_, "handover");
  EXPECT_TRUE(EventuallyApplied("handover"));
  const auto holder = [&] {
    return At(cluster_.Get("lease", "berth-handover", kNamespace), "/spec/holderIdentity").dump();
  };
  const std::string first_holder = holder();
  SchedulerProcess second(cluster_, "handover");

  EXPECT_EQ(first.process().Stop(), 0) << first.Output();
  AddPod("handover-pod", "handover", "1");
  EXPECT_TRUE(EventuallyBound("handover-pod", "handover-1"));
  EXPECT_NE(holder(), first_holder);
  EXPECT_EQ(second.process().Stop(), 0) << second.Output();
}

}  // namespace
}  // namespace berth::integration
