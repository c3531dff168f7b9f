// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/evaluator.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/preemption/overdue.h"
#include "tests/scheduler/framework/scripted_plugin.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeBudget;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::PreemptionWorld;
using testing::Reject;
using testing::Scripted;
using testing::Text;

NodeBuilder Node(const std::string& name) { return MakeNode(name).Allocatable("cpu=4"); }

PodBuilder On(const std::string& node, const std::string& name, int32_t priority) {
  return MakePod(name).OnNode(node).Priority(priority).Requests("cpu=4");
}

PodBuilder Incoming(int32_t priority) {
  return MakePod("incoming").Priority(priority).Requests("cpu=4");
}

PodBuilder BeingPreempted(PodBuilder pod) {
  api::PodCondition& condition = pod.Terminating().raw().status.conditions.emplace_back();
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "PreemptionByScheduler";
  return pod;
}

std::vector<std::string> NamesOf(const PodList& pods) {
  std::vector<std::string> names;
  for (const auto& pod : pods) names.push_back(pod->name());
  return names;
}

TEST(Preempt, NominatesTheBestNodeAndEvictsItsVictims) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(On("n1", "a", 5)).Add(On("n2", "b", 3));
  world.Try(Incoming(10).Scheduler("mine"));
  EXPECT_EQ(world.result().status.code, Code::kSuccess);
  EXPECT_EQ(world.message(),
            "preemption: found a potential placement for pod on node n2, preempting 1 victims");
  EXPECT_EQ(world.result().mode, NominatingMode::kOverride);
  EXPECT_EQ(world.Chosen(), "n2: b");
  EXPECT_EQ(world.result().preemption->evicted, 1u);
  ASSERT_EQ(world.evictions().size(), 1u);
  const EvictionRequest& request = world.evictions().front();
  EXPECT_EQ(request.preemptor->name(), "incoming");
  EXPECT_EQ(request.node.name(), "n2");
  EXPECT_THAT(NamesOf(request.victims), ElementsAre("b"));
  EXPECT_FALSE(request.respect_budgets);
  EXPECT_EQ(request.scheduler_name, "mine");
}

TEST(Preempt, EvictsNothingIfAllVictimsAreTerminating) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(On("n1", "a", 5).Terminating());
  world.Try(Incoming(10));
  EXPECT_EQ(world.Chosen(), "n1: a");
  EXPECT_EQ(world.message(),
            "preemption: found a potential placement for pod on node n1, preempting 1 victims");
  EXPECT_EQ(world.result().preemption->evicted, 1u) << "it counts as a victim";
  EXPECT_THAT(world.evictions(), IsEmpty());
}

TEST(Preempt, CountsTerminatingVictimsWithoutEvictingThem) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1"));
  world.cluster().Add(MakePod("going").OnNode("n1").Priority(5).Requests("cpu=2").Terminating());
  world.cluster().Add(MakePod("staying").OnNode("n1").Priority(4).Requests("cpu=2"));
  world.Try(Incoming(10));
  EXPECT_EQ(world.Chosen(), "n1: going staying");
  EXPECT_EQ(world.result().preemption->evicted, 2u);
  ASSERT_EQ(world.evictions().size(), 1u);
  EXPECT_THAT(NamesOf(world.evictions().front().victims), ElementsAre("staying"));
}

// ---- Eligibility. Same cases as upstream's TestPodEligibleToPreemptOthers.

TEST(Preempt, PolicyNeverPreemptsNoPods) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(On("n1", "a", 5));
  PodBuilder pod = Incoming(10).Nominated("n1");
  pod.raw().spec.preemption_policy = "Never";
  world.Try(pod);
  EXPECT_EQ(Text(world.result().status),
            "Unschedulable: preemption: not eligible due to preemptionPolicy=Never.");
  EXPECT_EQ(world.result().mode, NominatingMode::kNoop) << "the nomination is kept";
  EXPECT_TRUE(world.result().preemption.has_value()) << "it counts as an attempt";
}

TEST(Preempt, WaitsForTerminatingVictims) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(BeingPreempted(On("n1", "going", 5))).Add(On("n2", "b", 5));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_EQ(Text(world.result().status),
            "Unschedulable: preemption: not eligible due to a terminating pod on the nominated "
            "node.");
  EXPECT_EQ(world.result().mode, NominatingMode::kNoop);
  EXPECT_THAT(world.evictions(), IsEmpty());
}

TEST(Preempt, DoesNotWaitForOverdueVictims) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(BeingPreempted(On("n1", "stuck", 3)));
  world.cluster().clock().Advance(kGoneAtLatest + std::chrono::milliseconds(1));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_EQ(world.message(),
            "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming "
            "pod.");
  EXPECT_EQ(world.result().mode, NominatingMode::kOverride) << "the nomination is cleared";
  EXPECT_EQ(world.result().nominated_node, "");
  world.cluster().Add(Node("n2")).Add(On("n2", "b", 5));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_THAT(world.Candidates(), ElementsAre("n2: b"));
}

TEST(Preempt, WaitsOnlyForVictimsOfAPreemption) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(On("n1", "deleted", 5).Terminating()).Add(On("n2", "b", 3));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_EQ(world.Chosen(), "n2: b");
}

TEST(Preempt, DoesNotWaitForVictimsOfEqualPriority) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(BeingPreempted(On("n1", "going", 10))).Add(On("n2", "b", 3));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_EQ(world.Chosen(), "n2: b");
}

TEST(Preempt, PreemptsElsewhereIfTheNominatedNodeIsUnresolvable) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1").Taint("gone")).Add(Node("n2"));
  world.cluster().Add(BeingPreempted(On("n1", "going", 5))).Add(On("n2", "b", 5));
  world.Try(Incoming(10).Nominated("n1"));
  EXPECT_EQ(world.Chosen(), "n2: b");
  world.Try(Incoming(10).Nominated("no-such-node"));
  EXPECT_EQ(world.Chosen(), "n2: b");
}

// ---- Messages if preemption does not help. Same cases as upstream's TestPostFilter.

TEST(Preempt, ReportsReasonsIfItHelpsOnNoNode) {
  PreemptionWorld world;
  world.cluster().Add(Node("tied")).Add(Node("small")).Add(Node("tainted").Taint("x"));
  world.cluster().Add(On("tied", "a", 10)).Add(On("tainted", "b", 0));
  world.cluster().Add(MakePod("c").OnNode("small").Priority(0).Requests("cpu=1"));
  world.cluster().Add(MakePod("d").OnNode("small").Priority(10).Requests("cpu=1"));
  world.Try(Incoming(10));
  EXPECT_EQ(Text(world.result().status),
            "Unschedulable: preemption: 0/3 nodes are available: 1 Insufficient cpu, 1 No "
            "preemption victims found for incoming pod, 1 Preemption is not helpful for "
            "scheduling.");
  EXPECT_EQ(world.result().mode, NominatingMode::kOverride) << "an earlier nomination is cleared";
  EXPECT_EQ(world.result().nominated_node, "");
}

TEST(Preempt, CannotHelpWithUnresolvableRejections) {
  PreemptionWorld world;
  world.cluster().Add(Node("n1").Taint("x")).Add(Node("n2").Unschedulable());
  world.cluster().Add(On("n1", "a", 0)).Add(On("n2", "b", 0));
  world.Try(Incoming(10));
  EXPECT_EQ(world.message(),
            "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.");
}

TEST(Preempt, TriesAllNodesAfterAResolvablePreFilterRejection) {
  const auto rejecting = [](const Status& status) {
    return Scripted(
        "Once", {.pre_filter = [status](CycleContext&) { return PreFilterResult::Of(status); }});
  };
  PreemptionWorld may_help("", {rejecting(Status::Unschedulable("not now"))});
  may_help.cluster().Add(Node("n1")).Add(On("n1", "a", 0));
  may_help.Try(Incoming(10));
  EXPECT_EQ(may_help.message(),
            "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.")
      << "no filter rejects the pod";
  PreemptionWorld never("", {rejecting(Status::UnschedulableAndUnresolvable("never"))});
  never.cluster().Add(Node("n1")).Add(On("n1", "a", 0));
  never.Try(Incoming(10));
  EXPECT_EQ(never.message(),
            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
}

// A filter that lets no pods share a node, and fails on some nodes in the dry run.
PluginDescriptor Alone(std::vector<std::string> failing) {
  return Scripted("Alone", {.filter = [failing](const CycleContext&, const NodeView& node) {
                    if (node.simulated() && std::ranges::count(failing, node.name()) != 0) {
                      return Verdict::Failed(VerdictReason::Intern("lost its mind"));
                    }
                    bool alone = true;
                    node.ForEachPod([&alone](const PodInfo&) { alone = false; });
                    return alone ? Verdict::Fits() : Reject("not alone");
                  }});
}

TEST(Preempt, ReportsTrialErrorsWithoutACandidate) {
  PreemptionWorld world("", {Alone({"n1", "n2"})});
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(On("n1", "a", 0)).Add(On("n2", "b", 0));
  world.Try(Incoming(10));
  EXPECT_EQ(Text(world.result().status),
            "Error: preemption: running \"Alone\" filter plugin: lost its mind");
  EXPECT_EQ(world.result().mode, NominatingMode::kNoop);
}

TEST(Preempt, IgnoresTrialErrorsIfAnotherNodeIsACandidate) {
  PreemptionWorld world("", {Alone({"n1"})});
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(On("n1", "a", 0)).Add(On("n2", "b", 0));
  world.Try(Incoming(10));
  EXPECT_EQ(world.Chosen(), "n2: b");
}

// ---- Number of nodes that are tried.

TEST(Preempt, WantsAPercentageOfNodesButAMinimum) {
  const auto wanted = [](size_t nodes, int32_t percentage, int32_t absolute) {
    return CandidatesWanted(nodes, {.min_candidate_nodes_percentage = percentage,
                                    .min_candidate_nodes_absolute = absolute});
  };
  EXPECT_EQ(wanted(5000, 10, 100), 500u);
  EXPECT_EQ(wanted(500, 10, 100), 100u);
  EXPECT_EQ(wanted(60, 10, 100), 60u);
  EXPECT_EQ(wanted(15, 10, 0), 1u);
  EXPECT_EQ(wanted(5, 10, 0), 0u) << "the search ends with the first candidate without violations";
  EXPECT_EQ(wanted(5, 0, 2), 2u);
}

TEST(Preempt, StopsAtTheWantedNumberOfCandidates) {
  PreemptionWorld world(R"({"minCandidateNodesPercentage":40,"minCandidateNodesAbsolute":1})");
  for (const char* name : {"n1", "n2", "n3", "n4", "n5"}) {
    world.cluster().Add(Node(name)).Add(On(name, std::string("on-") + name, 0));
  }
  world.Try(Incoming(10));
  EXPECT_THAT(world.Candidates(), ElementsAre("n1: on-n1", "n2: on-n2"));
}

TEST(Preempt, ContinuesUntilACandidateViolatesNoBudget) {
  PreemptionWorld world(R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":2})");
  for (const char* name : {"n1", "n2", "n3", "n4", "n5"}) {
    const bool is_protected = name < std::string("n4");
    world.cluster()
        .Add(Node(name))
        .Add(On(name, std::string("on-") + name, 0).Label("app", is_protected ? "web" : "batch"));
  }
  world.Put(MakeBudget("web", "web", 0));
  world.Try(Incoming(10));
  EXPECT_THAT(world.Candidates(),
              ElementsAre("n4: on-n4", "n1: on-n1 (1 violation)", "n2: on-n2 (1 violation)"));
}

// ---- pdb: Respect

TEST(Preempt, RespectSkipsCandidatesThatViolateABudget) {
  PreemptionWorld world(R"({"pdb":"Respect"})");
  world.cluster().Add(Node("n1")).Add(Node("n2"));
  world.cluster().Add(On("n1", "web", 0).Label("app", "web")).Add(On("n2", "batch", 9));
  world.Put(MakeBudget("web", "web", 0));
  world.Try(Incoming(10));
  EXPECT_THAT(world.Candidates(), ElementsAre("n2: batch"));
  ASSERT_EQ(world.evictions().size(), 1u);
  EXPECT_TRUE(world.evictions().front().respect_budgets);
}

TEST(Preempt, RespectReportsProtectedVictims) {
  PreemptionWorld world(R"({"pdb":"Respect"})");
  world.cluster().Add(Node("n1")).Add(On("n1", "web", 0).Label("app", "web"));
  world.Put(MakeBudget("web", "web", 0));
  world.Try(Incoming(10));
  EXPECT_EQ(world.message(),
            "preemption: 0/1 nodes are available: 1 node(s) had victims that a "
            "PodDisruptionBudget protects.");
  EXPECT_THAT(world.evictions(), IsEmpty());
  EXPECT_THAT(world.Rejectors(), ElementsAre("DefaultPreemption", "NodeResourcesFit"));
}

TEST(Preempt, RespectCountsOnlyTheVictims) {
  PreemptionWorld world(R"({"pdb":"Respect"})");
  world.cluster().Add(Node("n1"));
  const auto web = [](const char* name, int32_t priority) {
    return MakePod(name).OnNode("n1").Priority(priority).Requests("cpu=1").Label("app", "web");
  };
  world.cluster().Add(web("important", 9)).Add(web("has-the-port", 0).HostPort(80));
  world.Put(MakeBudget("web", "web", 1));
  world.Try(MakePod("incoming").Priority(10).Requests("cpu=1").HostPort(80));
  EXPECT_THAT(world.Candidates(), ElementsAre("n1: has-the-port"))
      << "the budget allows one eviction, and only one pod is a victim";
}

}  // namespace
}  // namespace berth::scheduler
