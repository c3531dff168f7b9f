// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/coscheduling.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/pod_group.h"
#include "scheduler/model/gang.h"
#include "tests/scheduler/testing/queue_order.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using testing::Cycle;
using testing::ExpectStrictWeakOrder;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::Queued;
using testing::Random;
using testing::ResourcesOf;
using testing::TestCluster;
using testing::Text;

constexpr const char* kFits = "Success";

class CoschedulingTest : public ::testing::Test {
 protected:
  using TurnPtr = std::shared_ptr<const GangTurn>;

  static PodBuilder Member(const std::string& name, const std::string& gang = "g") {
    return MakePod(name).Label(std::string(api::kPodGroupLabel), gang);
  }
  static TurnPtr Turn(const std::string& gang, int second) {
    return std::make_shared<const GangTurn>(
        GangTurn{"default/" + gang, SteadyTime(seconds(second))});
  }
  QueuedPod InQueue(const PodBuilder& pod, int second, TurnPtr turn = nullptr) {
    QueuedPod queued = Queued(pod, cluster_.words(), second);
    queued.gang = std::move(turn);
    return queued;
  }
  // Returns pods with few distinct priorities, times and gangs. `turns` is the number of turns per
  // gang: after a failure the gang gets a new turn, while members that were absent keep the old
  // one.
  std::vector<QueuedPod> RandomQueue(Random& random, int count, size_t turns) {
    std::vector<TurnPtr> all;
    for (const char* gang : {"a", "b", "c"}) {
      for (size_t i = 0; i < turns; ++i) {
        all.push_back(Turn(gang, static_cast<int>(random.Below(3))));
      }
    }
    std::vector<QueuedPod> pods;
    for (int i = 0; i < count; ++i) {
      const auto priority = static_cast<int32_t>(random.Below(2));
      const TurnPtr turn = random.OneIn(3) ? nullptr : random.Pick(all);
      pods.push_back(InQueue(MakePod("p").Priority(priority),  //
                             static_cast<int>(random.Below(4)), turn));
    }
    return pods;
  }

  void PutGroup(int32_t min_member, const std::string& min_resources = "") {
    api::PodGroup group;
    group.metadata.name = "g";
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group";
    group.spec.min_member = min_member;
    if (!min_resources.empty()) group.spec.min_resources = ResourcesOf(min_resources);
    cluster_.cache().PutPodGroup(group);
  }
  void PutMembers(int count) {
    for (int i = 0; i < count; ++i) PutPending(Member("p" + std::to_string(i)));
  }
  void PutPending(const PodBuilder& pod) { cluster_.cache().PutPending(*pod.Build()); }

  std::string PreFilter(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return Text(plugin_->PreFilter(cycle.context()).status);
  }
  std::string CheckGang(const PodBuilder& pod, const GangAttempts& attempts) {
    Cycle cycle(cluster_, pod);
    const CycleContext& context = cycle.context();
    const Gang* gang = context.snapshot.GangOf(context.pod);
    return Text(plugin_->CheckGang(context.pod, *gang, attempts, context.snapshot));
  }

  TestCluster cluster_;
  std::unique_ptr<Coscheduling> plugin_ = cluster_.Plugin<Coscheduling>();
};

TEST_F(CoschedulingTest, PriorityPrecedesGangTurn) {
  const QueuedPod low = InQueue(Member("low").Priority(1), 1, Turn("g", 1));
  const QueuedPod high = InQueue(MakePod("high").Priority(2), 9);
  EXPECT_TRUE(plugin_->Less(high, low));
  EXPECT_FALSE(plugin_->Less(low, high));
}

TEST_F(CoschedulingTest, MemberIsOrderedByGangTurn) {
  const QueuedPod late = InQueue(Member("late"), 9, Turn("g", 1));
  const QueuedPod alone = InQueue(MakePod("alone"), 5);
  EXPECT_TRUE(plugin_->Less(late, alone));
  EXPECT_FALSE(plugin_->Less(alone, late));
  // The gang has failed in between.
  EXPECT_TRUE(plugin_->Less(alone, InQueue(Member("late"), 1, Turn("g", 6))));
}

TEST_F(CoschedulingTest, GangsWithEqualTurnAreOrderedByName) {
  const QueuedPod a = InQueue(Member("x", "a"), 9, Turn("a", 1));
  const QueuedPod b = InQueue(Member("y", "b"), 5, Turn("b", 1));
  EXPECT_TRUE(plugin_->Less(a, b));
  EXPECT_FALSE(plugin_->Less(b, a));
  const QueuedPod older = InQueue(Member("z", "a"), 3, Turn("a", 1));
  EXPECT_TRUE(plugin_->Less(a, older)) << "members are ordered by name, not by time";
}

TEST_F(CoschedulingTest, LessIsStrictWeakOrder) {
  Random random(1);
  EXPECT_GE(ExpectStrictWeakOrder(*plugin_, RandomQueue(random, 90, 2)), 10u);
}

// Within one priority, no other pod is between the members of a gang.
TEST_F(CoschedulingTest, MembersOfEqualPriorityAreAdjacent) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<QueuedPod> pods = RandomQueue(random, 60, 1);
    std::ranges::stable_sort(
        pods, [this](const QueuedPod& a, const QueuedPod& b) { return plugin_->Less(a, b); });
    std::map<std::pair<int32_t, std::string>, size_t> last;  // index of the last member seen
    for (size_t i = 0; i < pods.size(); ++i) {
      if (pods[i].gang == nullptr) continue;
      const auto [seen, is_first] =
          last.emplace(std::pair(pods[i].pod->priority(), pods[i].gang->gang), i);
      EXPECT_TRUE(is_first || seen->second == i - 1) << seen->first.second;
      seen->second = i;
    }
    EXPECT_EQ(last.size(), 6u);
  }
}

// The scheduling cycle handles such a gang: it tries all members at once.
TEST_F(CoschedulingTest, MembersOfDifferentPriorityAreSeparated) {
  const QueuedPod high = InQueue(Member("high").Priority(9), 1, Turn("g", 1));
  const QueuedPod middle = InQueue(MakePod("middle").Priority(5), 1);
  const QueuedPod low = InQueue(Member("low").Priority(1), 1, Turn("g", 1));
  EXPECT_TRUE(plugin_->Less(high, middle));
  EXPECT_TRUE(plugin_->Less(middle, low));
}

TEST_F(CoschedulingTest, AdmitsPodsWithoutGang) {
  PutGroup(2);
  EXPECT_EQ(PreFilter(MakePod("alone")), kFits);
  EXPECT_EQ(PreFilter(Member("nameless", "")), kFits) << "a label without a value names no group";
}

TEST_F(CoschedulingTest, RejectsWithoutPodGroup) {
  PutMembers(1);
  EXPECT_EQ(PreFilter(Member("p0")), "UnschedulableAndUnresolvable: PodGroup default/g not found");
}

TEST_F(CoschedulingTest, CountsPendingAndAssignedMembers) {
  cluster_.Add(MakeNode("n").Allocatable("cpu=4"));
  PutGroup(3);
  PutMembers(2);
  EXPECT_EQ(PreFilter(Member("p1")),
            "UnschedulableAndUnresolvable: pre-filter pod p1 cannot find enough sibling pods, "
            "current pods number: 2, minMember of group: 3");
  cluster_.Add(Member("old").OnNode("n"));
  EXPECT_EQ(PreFilter(Member("p1")), kFits);
}

TEST_F(CoschedulingTest, IgnoresGatedAndTerminatingMembers) {
  PutGroup(2);
  PutMembers(1);
  PutPending(Member("gated").Gate("quota"));
  EXPECT_EQ(PreFilter(Member("p0")),
            "UnschedulableAndUnresolvable: pre-filter pod p0 cannot proceed due to gated pods in "
            "the same PodGroup");
  PutPending(Member("going").Terminating());
  EXPECT_NE(PreFilter(Member("p0")), kFits);
  PutPending(Member("free"));
  EXPECT_EQ(PreFilter(Member("p0")), kFits);
}

TEST_F(CoschedulingTest, RejectsMembersWithDifferentSchedulers) {
  PutGroup(2);
  PutPending(Member("p0").Scheduler("one"));
  PutPending(Member("p1").Scheduler("two"));
  EXPECT_EQ(PreFilter(Member("p0").Scheduler("one")),
            "UnschedulableAndUnresolvable: all pods in a single pod group should have the same "
            ".spec.schedulerName set, got: \"one\" and \"two\"");
}

struct GapCase {
  const char* min_resources;
  const char* used;  // requests of a pod on the first of two nodes
  bool is_member;    // whether that pod is a member
  const char* answer;
};

class CoschedulingGapTest : public CoschedulingTest,
                            public ::testing::WithParamInterface<GapCase> {};

TEST_P(CoschedulingGapTest, ComparesMinResourcesWithFreeSum) {
  const GapCase& example = GetParam();
  for (const char* name : {"n0", "n1"}) {
    cluster_.Add(MakeNode(name).Allocatable("cpu=4,memory=8Gi,ephemeral-storage=1Gi,a.b/gpu=1"));
  }
  const PodBuilder used = example.is_member ? Member("used") : MakePod("used");
  cluster_.Add(PodBuilder(used).Requests(example.used).OnNode("n0"));
  PutGroup(2, example.min_resources);
  PutMembers(2);
  EXPECT_EQ(PreFilter(Member("p0")), example.answer);
}

INSTANTIATE_TEST_SUITE_P(
    All, CoschedulingGapTest,
    ::testing::Values(
        GapCase{"cpu=6", "", false, kFits},  // no single node has 6
        GapCase{"cpu=8,memory=16Gi,ephemeral-storage=2Gi,a.b/gpu=2", "", false, kFits},
        GapCase{"cpu=8500m", "", false, "UnschedulableAndUnresolvable: resource gap: cpu: 500m"},
        GapCase{"cpu=6", "cpu=3", false, "UnschedulableAndUnresolvable: resource gap: cpu: 1"},
        GapCase{"cpu=9,memory=17Gi,ephemeral-storage=3Gi,a.b/gpu=3", "", false,
                "UnschedulableAndUnresolvable: resource gap: cpu: 1, memory: 1Gi, "
                "ephemeral-storage: 1Gi, a.b/gpu: 1"},
        GapCase{"a.b/none=1", "", false, "UnschedulableAndUnresolvable: resource gap: a.b/none: 1"},
        // Resources that a member uses are part of the group's minResources.
        GapCase{"cpu=8", "cpu=3", true, kFits}));

TEST_F(CoschedulingTest, FreeSumSaturatesAtTheLargestAmount) {
  for (const char* name : {"n0", "n1"}) {
    cluster_.Add(MakeNode(name).Allocatable("cpu=4,a.b/gpu=4611686018427387904"));  // 2^62
  }
  PutGroup(1, "a.b/gpu=5");
  PutMembers(1);
  EXPECT_EQ(PreFilter(Member("p0")), kFits);
}

TEST_F(CoschedulingTest, OvercommittedNodeDoesNotReduceFreeSum) {
  cluster_.Add(MakeNode("n0").Allocatable("cpu=1")).Add(MakeNode("n1").Allocatable("cpu=2"));
  cluster_.Add(MakePod("large").Requests("cpu=3").OnNode("n0"));
  PutGroup(1, "cpu=2");
  PutMembers(1);
  EXPECT_EQ(PreFilter(Member("p0")), kFits);
}

TEST_F(CoschedulingTest, CheckGangRejectsWhileMembersAreBinding) {
  PutGroup(2);
  PutMembers(3);
  EXPECT_EQ(CheckGang(Member("p0"), {}), kFits);
  EXPECT_EQ(CheckGang(Member("p0"), {.failed = {}, .is_binding = true}),
            "UnschedulableAndUnresolvable: other pods of PodGroup default/g are about to be bound");
}

TEST_F(CoschedulingTest, CheckGangRejectsDuringTheBackoffOfTheGroup) {
  plugin_ = cluster_.Plugin<Coscheduling>(R"({"podGroupBackoffSeconds": 10})");
  PutGroup(2);
  PutMembers(2);
  const SteadyTime now = cluster_.clock().Now();
  EXPECT_EQ(CheckGang(Member("p0"), {.failed = now - seconds(9)}),
            "UnschedulableAndUnresolvable: podGroup default/g failed recently");
  EXPECT_EQ(CheckGang(Member("p0"), {.failed = now - seconds(10)}), kFits);
}

}  // namespace
}  // namespace berth::scheduler
