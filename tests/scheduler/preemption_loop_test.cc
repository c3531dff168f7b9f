// SPDX-License-Identifier: Apache-2.0
// Preemption from the rejection to the binding, with DefaultPreemption.
#include "scheduler/plugins/registry.h"
#include "scheduler/preemption/overdue.h"
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::PodBuilder;
using ::testing::StartsWith;

// PreemptionTest has a full node n with two pods, and an urgent pod that needs both their
// resources.
class PreemptionTest : public LoopTest {
 protected:
  PreemptionTest() {
    scheduler_.SetProfiles(
        {{"test", testing::TestProfile({clock_, api_, words_}, "test", {},
                                       {"NodeResourcesFit", "NodeName", "DefaultPreemption"})}});
    scheduler_.On(api::Added(Node("n", "cpu=2,pods=10").Build()));
    for (const char* name : {"v0", "v1"}) scheduler_.On(api::Added(Pod(name).OnNode("n").Build()));
    scheduler_.On(api::Added(Urgent().Build()));
    Run();
  }
  static PodBuilder Urgent() { return Pod("p").Priority(10).Requests("cpu=1"); }
  void Reply(Result<void> result = {}) {
    const auto call = std::move(api_.victims.at(0));
    api_.victims.erase(api_.victims.begin());
    call.done(std::move(result));
  }
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const auto& call : api_.victims) calls.push_back(call.call + " " + call.pod.name);
    return calls;
  }
  void Remove(const std::string& name, const std::string& node = "n") {
    scheduler_.On(api::Deleted(Pod(name).OnNode(node).Build()));
  }
};

TEST_F(PreemptionTest, UrgentPodIsBoundWhenItsVictimsAreGone) {
  EXPECT_EQ(api_.patches.at(0).patch.nominated_node_name, "n");
  EXPECT_EQ(api_.patches.at(0).patch.condition->message,
            "0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement "
            "for pod on node n, preempting 2 victims");
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "n");
  ASSERT_EQ(Calls().size(), 1u) << "the last victim comes after the other";
  const std::string first = api_.victims[0].pod.name;
  const std::string last = first == "v0" ? "v1" : "v0";
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("delete " + first));
  Remove(first);
  EXPECT_EQ(Where("p"), "gated");
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("mark " + last));
  Reply();
  Reply();
  Remove(last);
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
  EXPECT_THAT(Calls(), IsEmpty());
}

// A preemptor with terminating victims, and another node where it could preempt.
class StuckVictimTest : public PreemptionTest {
 protected:
  StuckVictimTest() {
    for (int call = 0; call < 4; ++call) Reply();
    scheduler_.On(api::Modified(Urgent().Build(), Urgent().Nominated("n").Build()));
    for (const char* name : {"v0", "v1"}) {
      PodBuilder going = Pod(name).OnNode("n").Terminating();
      going.raw().metadata.deletion_timestamp = clock_.Wall() + kGrace;
      going.raw().status.conditions = {
          {.type = "DisruptionTarget", .status = "True", .reason = "PreemptionByScheduler"}};
      scheduler_.On(api::Modified(Pod(name).OnNode("n").Build(), going.Build()));
    }
    scheduler_.On(api::Added(Node("m", "cpu=2,pods=10").Build()));
    for (const char* name : {"b0", "b1"}) scheduler_.On(api::Added(Pod(name).OnNode("m").Build()));
  }

  static constexpr seconds kGrace{400};
};

TEST_F(StuckVictimTest, WaitsForAVictimInItsGracePeriod) {
  Pass(kGrace);
  ASSERT_GT(Run(), 0);
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "n");
}

TEST_F(StuckVictimTest, PreemptsElsewhereWhenAVictimIsOverdue) {
  Pass(kGrace + kGoneAtLatest + seconds(1));
  ASSERT_GT(Run(), 0);
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "m");
  ASSERT_EQ(Calls().size(), 1u);
  EXPECT_THAT(Calls().front(), StartsWith("mark b"));
  for (int call = 0; call < 4; ++call) Reply();
  Remove("b0", "m");
  Remove("b1", "m");
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to m"));
  EXPECT_THAT(Calls(), IsEmpty());
}

// A pod that needs the resources of pods protected by a budget, with pdb: Respect.
class ProtectedVictimsTest : public LoopTest {
 protected:
  ProtectedVictimsTest() {
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugin_config = {{.name = "DefaultPreemption", .args = {R"({"pdb":"Respect"})"}}};
    scheduler_.SetProfiles(
        {{"test",
          scheduler::Profile::Create(spec, 0, MakeRegistry(), {clock_, api_, words_}).value()}});
    scheduler_.On(api::Added(Node("n", "cpu=1,pods=10").Build()));
    scheduler_.On(api::Added(Pod("web").OnNode("n").Label("app", "web").Build()));
    scheduler_.On(api::Added(Budget(0)));
    scheduler_.On(api::Added(Pod("p").Priority(10).Build()));
    Run();
  }
  static std::shared_ptr<const api::PodDisruptionBudget> Budget(int32_t allowed) {
    return std::make_shared<const api::PodDisruptionBudget>(
        testing::MakeBudget("web", "web", allowed, {}));
  }
};

TEST_F(ProtectedVictimsTest, AreEvictedWhenTheBudgetAllowsMore) {
  ASSERT_EQ(Where("p"), "unschedulable");
  EXPECT_THAT(api_.victims, IsEmpty());
  scheduler_.On(api::Modified(Budget(0), Budget(1)));
  EXPECT_EQ(Where("p"), "backoff");
  Pass(seconds(2));
  Run();
  ASSERT_EQ(api_.victims.size(), 1u);
  EXPECT_EQ(api_.victims.front().pod.name, "web");
}

TEST_F(ProtectedVictimsTest, RequeueThePreemptorWhenTheBudgetIsDeleted) {
  scheduler_.On(api::Deleted<api::PodDisruptionBudget>("uid-web"));
  EXPECT_EQ(Where("p"), "backoff");
}

TEST_F(ProtectedVictimsTest, StayWhenTheBudgetAllowsLess) {
  scheduler_.On(api::Modified(Budget(0), Budget(-1)));
  EXPECT_EQ(Where("p"), "unschedulable");
}

}  // namespace
}  // namespace berth::scheduler
