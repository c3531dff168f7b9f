// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/dry_run.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/preemption/overdue.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeBudget;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::PodsWith;
using testing::PreemptionWorld;
using testing::SpreadBy;
using testing::Started;

PodBuilder On(const std::string& node, const std::string& name, int32_t priority,
              const std::string& cpu) {
  return MakePod(name).OnNode(node).Priority(priority).Requests("cpu=" + cpu);
}

PodBuilder Incoming(int32_t priority, const std::string& cpu) {
  return MakePod("incoming").Priority(priority).Requests("cpu=" + cpu);
}

// Same cases as upstream's TestDryRunPreemption, with other names and numbers: nodes with four
// cpus, n1 and n2.
class DryRunTest : public ::testing::Test {
 public:
  DryRunTest& Add(const PodBuilder& pod) {
    world_.cluster().Add(pod);
    return *this;
  }

 protected:
  DryRunTest() {
    for (const char* name : {"n1", "n2"}) {
      world_.cluster().Add(
          MakeNode(name).Allocatable("cpu=4").Label("host", name).Label("zone", "z"));
    }
  }

  std::vector<std::string> Candidates(const PodBuilder& pod) {
    world_.Try(pod);
    return world_.Candidates();
  }

  PreemptionWorld world_;
};

TEST_F(DryRunTest, PodTooLargeForAnEmptyNodeHasNoCandidate) {
  Add(On("n1", "a", 0, "2")).Add(On("n2", "b", 0, "2"));
  EXPECT_THAT(Candidates(Incoming(10, "5")), IsEmpty());
}

TEST_F(DryRunTest, RemovesLowerPriorityPodsPerNode) {
  Add(On("n1", "a", 5, "4")).Add(On("n2", "b", 5, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n1: a", "n2: b"));
}

TEST_F(DryRunTest, KeepsPodsOfEqualPriority) {
  Add(On("n1", "a", 10, "4")).Add(On("n2", "b", 5, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n2: b"));
}

TEST_F(DryRunTest, ReprievesAsManyAsPossibleMostImportantFirst) {
  Add(On("n1", "low-small", 1, "1")).Add(On("n1", "middle", 5, "2")).Add(On("n1", "high", 9, "1"));
  Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: middle"))
      << "the larger pod does not fit and is removed; the smaller one after it stays";
  EXPECT_THAT(Candidates(Incoming(10, "3")), ElementsAre("n1: middle low-small"));
}

TEST_F(DryRunTest, RemovesTheLatestStartedOfEqualPriority) {
  auto old = On("n1", "old", 5, "2");
  auto young = On("n1", "young", 5, "2");
  Add(Started(young, 20)).Add(Started(old, 10)).Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: young"));
}

TEST_F(DryRunTest, RemovesUnstartedPodsFirst) {
  auto started = On("n1", "started", 5, "2");
  Add(On("n1", "not-started", 5, "2")).Add(Started(started, 10)).Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: not-started"));
}

TEST_F(DryRunTest, TerminatingPodCanBeAVictim) {
  Add(On("n1", "going", 5, "4").Terminating()).Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n1: going"));
}

TEST_F(DryRunTest, DoesNotCountTheRoomOfOverduePods) {
  Add(On("n1", "stuck", 5, "3").Terminating()).Add(On("n1", "other", 6, "1"));
  Add(On("n2", "alone", 5, "4").Terminating());
  world_.cluster().clock().Advance(kGoneAtLatest);
  EXPECT_THAT(Candidates(Incoming(10, "1")), ElementsAre("n1: stuck", "n2: alone"));
  world_.cluster().clock().Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(Candidates(Incoming(10, "1")), ElementsAre("n1: other"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), IsEmpty());
}

TEST_F(DryRunTest, RemovesPodsWithAntiAffinityToTheIncomingPod) {
  Add(On("n1", "shy", 0, "1").Label("app", "shy").AntiAffinity(PodsWith("app", "x", "host")));
  Add(On("n1", "other", 0, "1")).Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "1").Label("app", "x")), ElementsAre("n1: shy"));
}

TEST_F(DryRunTest, RemovesPodsThatTheIncomingPodAvoids) {
  Add(On("n1", "noisy", 0, "1").Label("app", "noisy")).Add(On("n1", "other", 0, "1"));
  Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "1").AntiAffinity(PodsWith("app", "noisy", "host"))),
              ElementsAre("n1: noisy"));
}

TEST_F(DryRunTest, RemovesPodsThatViolateTheSpread) {
  Add(On("n1", "one", 0, "1").Label("app", "x")).Add(On("n1", "two", 5, "1").Label("app", "x"));
  Add(On("n2", "all", 10, "4").Label("app", "y"));
  auto pod =
      Incoming(10, "1").Label("app", "x").Spread(SpreadBy("host", 1, "DoNotSchedule", "app", "x"));
  EXPECT_THAT(Candidates(pod), ElementsAre("n1: two one"))
      << "n2 has no possible victims, and n1 has one pod too many if any is left";
}

TEST_F(DryRunTest, RemovesPodsThatUseTheHostPort) {
  Add(On("n1", "web", 0, "1").HostPort(80)).Add(On("n1", "other", 0, "1"));
  Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "1").HostPort(80)), ElementsAre("n1: web"));
}

TEST_F(DryRunTest, ReservesRoomForNominatedPodsOfEqualPriority) {
  Add(On("n1", "a", 0, "2")).Add(On("n1", "b", 0, "2")).Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: b"));
  world_.nominator().Nominate(
      MakePod("rival").Priority(10).Requests("cpu=2").Info(world_.cluster().words()), "n1");
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: a b"));
}

TEST_F(DryRunTest, IgnoresNominatedPodsOfLowerPriority) {
  Add(On("n1", "a", 0, "2")).Add(On("n1", "b", 0, "2")).Add(On("n2", "all", 10, "4"));
  world_.nominator().Nominate(
      MakePod("lower").Priority(9).Requests("cpu=2").Info(world_.cluster().words()), "n1");
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: b"));
}

// ---- PodDisruptionBudgets

TEST_F(DryRunTest, ReprievesBudgetProtectedPodsFirst) {
  Add(On("n1", "web", 0, "2").Label("app", "web")).Add(On("n1", "batch", 5, "2"));
  Add(On("n2", "all", 10, "4"));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: web"));
  world_.Put(MakeBudget("web", "web", 0));
  EXPECT_THAT(Candidates(Incoming(10, "2")), ElementsAre("n1: batch"));
}

TEST_F(DryRunTest, CountsUnavoidableViolations) {
  Add(On("n1", "one", 6, "2").Label("app", "web")).Add(On("n1", "two", 5, "2").Label("app", "web"));
  Add(On("n2", "all", 10, "4"));
  world_.Put(MakeBudget("web", "web", 1));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n1: one two (1 violation)"));
  world_.Put(MakeBudget("web", "web", 0));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n1: one two (2 violations)"));
}

TEST_F(DryRunTest, SortsVictimsByImportanceRegardlessOfBudgets) {
  Add(On("n1", "web", 1, "2").Label("app", "web")).Add(On("n1", "batch", 5, "2"));
  Add(On("n2", "all", 10, "4"));
  world_.Put(MakeBudget("web", "web", 0));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n1: batch web (1 violation)"));
}

TEST_F(DryRunTest, CandidatesWithoutViolationsComeFirst) {
  Add(On("n1", "web", 0, "4").Label("app", "web")).Add(On("n2", "batch", 5, "4"));
  world_.Put(MakeBudget("web", "web", 0));
  EXPECT_THAT(Candidates(Incoming(10, "4")), ElementsAre("n2: batch", "n1: web (1 violation)"));
}

}  // namespace
}  // namespace berth::scheduler
