// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/pod_status.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using State = ContainerView::State;

ContainerView In(State state, int exit_code = 0, int restarts = 0) {
  return {.name = "main",
          .image = "i",
          .state = state,
          .exit_code = exit_code,
          .ready = state == State::kRunning,
          .restarts = restarts};
}

TEST(PhaseOf, FollowsContainersAndRestartPolicy) {
  const struct {
    std::vector<ContainerView> containers;
    const char* policy;
    const char* phase;
  } kCases[] = {
      {{In(State::kWaiting)}, "Always", "Pending"},
      {{In(State::kRunning)}, "Always", "Running"},
      {{In(State::kWaiting, 1, 2)}, "Always", "Running"},
      {{In(State::kTerminated)}, "Always", "Running"},
      {{In(State::kTerminated)}, "Never", "Succeeded"},
      {{In(State::kTerminated, 3)}, "Never", "Failed"},
      {{In(State::kTerminated, 3)}, "OnFailure", "Running"},
      {{In(State::kTerminated)}, "OnFailure", "Succeeded"},
      {{In(State::kTerminated), In(State::kRunning)}, "Never", "Running"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(PhaseOf({.containers = c.containers}, c.policy), c.phase) << c.policy;
  }
}

nlohmann::json Status(const PodView& view, const std::string& policy = "Always") {
  api::Pod pod = *APod("p", "owner");
  pod.spec.restart_policy = policy;
  return nlohmann::json::parse(PodStatusPatch(pod, view))["status"];
}

std::string Holds(const nlohmann::json& status, const std::string& type) {
  for (const auto& condition : status["conditions"]) {
    if (condition["type"] == type) return condition["status"];
  }
  return "absent";
}

TEST(PodStatusPatch, RunningPodIsReadyAtItsAddress) {
  const auto status = Status({.pod_ip = "127.77.0.1",
                              .host_ip = "10.64.0.1",
                              .start_time = kNow,
                              .ready_changed = kNow,
                              .containers = {In(State::kRunning)}});
  EXPECT_EQ(status["phase"], "Running");
  EXPECT_EQ(status["podIP"], "127.77.0.1");
  EXPECT_EQ(status["podIPs"][0]["ip"], "127.77.0.1");
  EXPECT_EQ(status["hostIP"], "10.64.0.1");
  EXPECT_EQ(status["startTime"], kNow.ToString());
  EXPECT_EQ(Holds(status, "Ready"), "True");
  EXPECT_EQ(Holds(status, "PodScheduled"), "absent");
  EXPECT_TRUE(status["containerStatuses"][0]["state"].contains("running"));
}

TEST(PodStatusPatch, NamesUnreadyContainer) {
  ContainerView container = In(State::kRunning);
  container.ready = false;
  const auto status = Status({.pod_ip = "127.77.0.1", .containers = {container}});
  EXPECT_EQ(Holds(status, "ContainersReady"), "False");
  EXPECT_EQ(status["conditions"][2]["message"], "containers with unready status: [main]");
}

TEST(PodStatusPatch, CompletedPodHasReasonPodCompleted) {
  ContainerView container = In(State::kTerminated);
  container.reason = "Completed";
  const auto status = Status({.pod_ip = "10.128.0.1", .containers = {container}}, "Never");
  EXPECT_EQ(status["phase"], "Succeeded");
  EXPECT_EQ(status["conditions"][2]["reason"], "PodCompleted");
  EXPECT_EQ(status["containerStatuses"][0]["state"]["terminated"]["reason"], "Completed");
}

TEST(PodStatusPatch, ContainsPodUid) {
  const auto patch = nlohmann::json::parse(PodStatusPatch(*APod("p", "owner"), {}));
  EXPECT_EQ(patch["metadata"]["uid"], "p-uid");
}

TEST(RejectionPatch, FailsThePod) {
  const auto status = nlohmann::json::parse(
      RejectionPatch(*APod("p", "owner"), {.reason = "OutOfcpu", .message = "Pod was rejected: x"},
                     kNow))["status"];
  EXPECT_EQ(status["phase"], "Failed");
  EXPECT_EQ(status["reason"], "OutOfcpu");
  EXPECT_EQ(status["message"], "Pod was rejected: x");
}

}  // namespace
}  // namespace berth::simulation
