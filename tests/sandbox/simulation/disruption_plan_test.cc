// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/disruption_plan.h"

#include <gmock/gmock.h>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using ::testing::IsEmpty;

api::PodDisruptionBudget ABudget() {
  api::PodDisruptionBudget budget;
  budget.metadata.name = "budget";
  budget.metadata.generation = 3;
  return budget;
}
api::PodDisruptionBudget AtLeast(IntOrString amount) {
  api::PodDisruptionBudget budget = ABudget();
  budget.spec.min_available = std::move(amount);
  return budget;
}
api::PodDisruptionBudget AtMostGone(IntOrString amount) {
  api::PodDisruptionBudget budget = ABudget();
  budget.spec.max_unavailable = std::move(amount);
  return budget;
}

std::vector<PodPtr> Three(const PodState& last = {}) {
  return {APod("a", "set-uid"), APod("b", "set-uid"), APod("c", "set-uid", last)};
}

std::optional<Workload> OfFour(const api::Pod&) { return Workload{"set-uid", 4}; }
std::optional<Workload> Unowned(const api::Pod&) { return std::nullopt; }

TEST(PlanDisruption, NumberIsRelativeToExistingPods) {
  const auto status = PlanDisruption(AtLeast(2), Three(), Unowned, kNow).status;
  EXPECT_EQ(status.expected_pods, 3);
  EXPECT_EQ(status.desired_healthy, 2);
  EXPECT_EQ(status.current_healthy, 3);
  EXPECT_EQ(status.disruptions_allowed, 1);
  EXPECT_EQ(status.observed_generation, 3);
  ASSERT_EQ(status.conditions.size(), 1U);
  EXPECT_EQ(status.conditions[0].reason, "SufficientPods");
  EXPECT_EQ(status.conditions[0].status, "True");
}

TEST(PlanDisruption, PercentageOfDesiredReplicasIsRoundedUp) {
  const auto least = PlanDisruption(AtLeast(IntOrString("30%")), Three(), OfFour, kNow).status;
  EXPECT_EQ(least.expected_pods, 4);
  EXPECT_EQ(least.desired_healthy, 2);
  EXPECT_EQ(least.disruptions_allowed, 1);
  const auto gone = PlanDisruption(AtMostGone(IntOrString("30%")), Three(), OfFour, kNow).status;
  EXPECT_EQ(gone.desired_healthy, 2);
}

TEST(PlanDisruption, MissingPodsCountAsUnavailable) {
  EXPECT_EQ(PlanDisruption(AtMostGone(1), Three(), OfFour, kNow).status.disruptions_allowed, 0);
  EXPECT_EQ(PlanDisruption(AtMostGone(2), Three(), OfFour, kNow).status.disruptions_allowed, 1);
}

TEST(PlanDisruption, UnreadyAndTerminatingPodsAreNotHealthy) {
  EXPECT_EQ(
      PlanDisruption(AtLeast(2), Three({.ready = false}), OfFour, kNow).status.current_healthy, 2);
  EXPECT_EQ(
      PlanDisruption(AtLeast(2), Three({.leaving = true}), OfFour, kNow).status.current_healthy, 2);
}

TEST(PlanDisruption, GrantedEvictionCountsUntilItFails) {
  api::PodDisruptionBudget budget = AtLeast(1);
  budget.status.disrupted_pods = {{"a", kNow - std::chrono::seconds(30)},
                                  {"b", kNow - std::chrono::seconds(121)},
                                  {"gone", kNow}};
  const DisruptionPlan plan = PlanDisruption(budget, Three(), OfFour, kNow);
  EXPECT_EQ(plan.status.current_healthy, 2);
  EXPECT_EQ(plan.status.disrupted_pods.size(), 1U);
  EXPECT_TRUE(plan.status.disrupted_pods.contains("a"));
  ASSERT_TRUE(plan.requeue_after);
  EXPECT_EQ(*plan.requeue_after, std::chrono::seconds(90));
}

TEST(PlanDisruption, AllowsNothingWithoutPods) {
  const auto status = PlanDisruption(AtLeast(0), {}, OfFour, kNow).status;
  EXPECT_EQ(status.disruptions_allowed, 0);
  EXPECT_EQ(status.conditions[0].reason, "InsufficientPods");
  EXPECT_THAT(status.disrupted_pods, IsEmpty());
}

TEST(PlanDisruption, ReportsSyncFailedForUnknownWorkload) {
  api::PodDisruptionBudget budget = AtMostGone(1);
  budget.status.disruptions_allowed = 2;
  budget.status.observed_generation = 1;
  const auto status = PlanDisruption(budget, Three(), Unowned, kNow).status;
  EXPECT_EQ(status.disruptions_allowed, 0);
  EXPECT_EQ(status.observed_generation, 1);
  ASSERT_EQ(status.conditions.size(), 1U);
  EXPECT_EQ(status.conditions[0].reason, "SyncFailed");
  EXPECT_EQ(status.conditions[0].message, "found no controllers for pod \"a\"");
}

TEST(PlanDisruption, TransitionTimeIsTheLastStatusChange) {
  api::PodDisruptionBudget budget = AtLeast(2);
  budget.status = PlanDisruption(budget, Three(), OfFour, kNow).status;
  const Time later = kNow + std::chrono::seconds(9);
  EXPECT_EQ(PlanDisruption(budget, Three(), OfFour, later).status, budget.status);
  const auto changed = PlanDisruption(budget, Three({.ready = false}), OfFour, later).status;
  EXPECT_EQ(changed.conditions[0].status, "False");
  EXPECT_EQ(changed.conditions[0].last_transition_time, later);
}

}  // namespace
}  // namespace berth::simulation
