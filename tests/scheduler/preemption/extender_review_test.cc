// SPDX-License-Identifier: Apache-2.0
// Extenders in preemption. Follows the cases of kube-scheduler
// pkg/scheduler/framework/preemption/preemption_test.go, TestCallExtenders.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/preemption/preemption_world.h"
#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeBudget;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::PreemptionWorld;
using testing::ScriptedExtender;
using testing::Text;

using Reviewed = std::vector<Candidate>;

PodBuilder Lesser(const std::string& node, const std::string& name, int32_t priority) {
  return MakePod(name).OnNode(node).Priority(priority).Requests("cpu=2");
}

// Two pods on each of two nodes; those on n1 have the lowest priority. The incoming pod needs a
// whole node.
void FillTwoNodes(PreemptionWorld& world) {
  world.cluster().Add(MakeNode("n1").Allocatable("cpu=4"));
  world.cluster().Add(MakeNode("n2").Allocatable("cpu=4"));
  world.cluster().Add(Lesser("n1", "a1", 2)).Add(Lesser("n1", "a2", 1));
  world.cluster().Add(Lesser("n2", "b1", 4)).Add(Lesser("n2", "b2", 3));
}
PodBuilder Preemptor() { return MakePod("incoming").Priority(10).Requests("cpu=4"); }

// Keeps the candidates on these nodes.
ScriptedExtender::PreemptAnswer Leaving(std::vector<std::string> nodes) {
  return [nodes](const PendingPod&, std::span<const Candidate> candidates) {
    Reviewed left;
    for (const Candidate& candidate : candidates) {
      if (std::ranges::find(nodes, candidate.node.name()) != nodes.end()) left.push_back(candidate);
    }
    return Result<Reviewed>(left);
  };
}

// Changes the victims on each node.
template <class Change>
ScriptedExtender::PreemptAnswer Changing(Change change) {
  return [change](const PendingPod&, std::span<const Candidate> candidates) {
    Reviewed left(candidates.begin(), candidates.end());
    for (Candidate& candidate : left) change(candidate);
    return Result<Reviewed>(left);
  };
}

Result<Reviewed> OutOfOrder(const PendingPod&, std::span<const Candidate>) {
  return Fail(Reason::kUnavailable, "connection refused");
}

class ExtenderReview : public ::testing::Test {
 protected:
  const Outcome& Try(const PodBuilder& pod = Preemptor(), std::string args = "") {
    world_ = std::make_unique<PreemptionWorld>(std::move(args), std::vector<PluginDescriptor>{},
                                               std::vector{&a_, &b_});
    FillTwoNodes(*world_);
    for (const auto& budget : budgets_) world_->Put(budget);
    return world_->Try(pod);
  }

  ScriptedExtender a_{"http://a"}, b_{"http://b"};
  std::vector<api::PodDisruptionBudget> budgets_;
  std::unique_ptr<PreemptionWorld> world_;
};

TEST_F(ExtenderReview, SelectsTheCheapestNodeWithoutExtenders) {
  Try();
  EXPECT_EQ(world_->Chosen(), "n1: a1 a2");
  a_.Preempts();
  a_.spec.managed_resources = {{"example.com/gpu"}};
  Try();
  EXPECT_EQ(world_->Chosen(), "n1: a1 a2");
  EXPECT_THAT(a_.calls, IsEmpty()) << "the extender is not interested in the pod";
}

TEST_F(ExtenderReview, EachExtenderNarrowsTheCandidates) {
  a_.Preempts();
  b_.Preempts(Leaving({"n2"}));
  Try();
  EXPECT_EQ(world_->Chosen(), "n2: b1 b2");
  EXPECT_EQ(world_->evictions().size(), 1u);
  EXPECT_THAT(a_.calls, ElementsAre("preempt incoming: n1 n2"));
  EXPECT_THAT(b_.calls, ElementsAre("preempt incoming: n1 n2"));
  a_.calls.clear();
  a_.preempt = Leaving({"n1"});
  Try();
  EXPECT_EQ(b_.calls.back(), "preempt incoming: n1");
}

TEST_F(ExtenderReview, MaySpareVictimsInAnyOrder) {
  a_.Preempts(Changing([](Candidate& candidate) {
    std::ranges::reverse(candidate.victims);
    if (candidate.node.name() == "n2") candidate.victims.resize(1);  // b2
  }));
  Try();
  EXPECT_THAT(world_->Candidates(), ElementsAre("n1: a1 a2", "n2: b2"));
  EXPECT_EQ(world_->Chosen(), "n1: a1 a2") << "its most important victim has the lowest priority";
}

TEST_F(ExtenderReview, EvictsNothingIfNoCandidateIsLeft) {
  a_.Preempts(Leaving({}));
  b_.Preempts();
  Try();
  EXPECT_EQ(Text(world_->result().status),
            "Unschedulable: preemption: no candidate node for preemption");
  EXPECT_EQ(world_->result().mode, NominatingMode::kNoop);
  EXPECT_THAT(world_->evictions(), IsEmpty());
  EXPECT_THAT(b_.calls, IsEmpty());
}

TEST_F(ExtenderReview, ErrorEndsPreemption) {
  a_.Preempts(OutOfOrder);
  b_.Preempts();
  Try();
  EXPECT_EQ(Text(world_->result().status), "Error: preemption: connection refused");
  EXPECT_EQ(world_->result().mode, NominatingMode::kNoop);
  EXPECT_THAT(world_->evictions(), IsEmpty());
  EXPECT_THAT(b_.calls, IsEmpty());
}

TEST_F(ExtenderReview, IgnoresErrorOfIgnorableExtender) {
  a_.Ignorable().Preempts(OutOfOrder);
  b_.Preempts(Leaving({"n2"}));
  Try();
  EXPECT_EQ(world_->Chosen(), "n2: b1 b2");
}

TEST_F(ExtenderReview, CandidateWithoutVictimsIsAnErrorOrDropped) {
  a_.Preempts(Changing([](Candidate& candidate) {
    if (candidate.node.name() == "n1") candidate.victims.clear();
  }));
  Try();
  EXPECT_EQ(Text(world_->result().status),
            "Error: preemption: extender \"http://a\" returned node \"n1\" without victims");
  a_.Ignorable();
  Try();
  EXPECT_EQ(world_->Chosen(), "n2: b1 b2");
}

TEST_F(ExtenderReview, RejectsVictimsThatAreNotOfLowerPriority) {
  a_.Preempts(Changing([this](Candidate& candidate) {
    const auto victim =
        Lesser(candidate.node.name(), "system", 10).Placed(world_->cluster().words());
    if (candidate.node.name() == "n1") candidate.victims.push_back(victim);
  }));
  Try();
  EXPECT_EQ(Text(world_->result().status),
            "Error: preemption: extender \"http://a\" claims to preempt pod \"default/system\" on "
            "node \"n1\", which is not of lower priority");
  EXPECT_THAT(world_->evictions(), IsEmpty());
  a_.Ignorable();
  Try();
  EXPECT_EQ(world_->Chosen(), "n1: a1 a2") << "its whole answer is ignored";
}

TEST_F(ExtenderReview, IsSkippedIfThereAreNoCandidates) {
  a_.Preempts();
  Try(MakePod("incoming").Priority(0).Requests("cpu=4"));
  EXPECT_THAT(a_.calls, IsEmpty());
}

TEST_F(ExtenderReview, ChecksRespectedBudgetsAgain) {
  constexpr const char* kRespect = R"({"pdb":"Respect"})";
  budgets_ = {MakeBudget("keep", "web", 0)};
  a_.Preempts(Changing([this](Candidate& candidate) {
    auto victim = Lesser("n1", "a3", 1).Label("app", "web").Placed(world_->cluster().words());
    if (candidate.node.name() == "n1") candidate.victims.push_back(std::move(victim));
  }));
  Try(Preemptor(), kRespect);
  EXPECT_EQ(world_->Chosen(), "n2: b1 b2");
  b_.Preempts(Leaving({"n1"}));
  Try(Preemptor(), kRespect);
  EXPECT_EQ(world_->Chosen(), "");
  EXPECT_THAT(world_->message(), ::testing::HasSubstr("no candidate node for preemption"));
  EXPECT_THAT(world_->Rejectors(), ::testing::Contains("DefaultPreemption"))
      << "a budget that allows more may help";
}

// Preemption may help on a node that only an extender rejects.
TEST_F(ExtenderReview, ExtenderRejectionMayBeResolvable) {
  a_.Filters([](const PendingPod&, const Snapshot& snapshot, std::span<const Slot> nodes) {
    ExtenderVerdicts verdicts;
    for (const Slot slot : nodes) {
      verdicts.rejections.push_back({slot, "no license", snapshot.At(slot).name.text() == "n2"});
    }
    return Result<ExtenderVerdicts>(verdicts);
  });
  const auto small = MakePod("incoming").Priority(10);
  Try(small);
  EXPECT_EQ(world_->Chosen(), "");
  EXPECT_THAT(world_->result().preemption->unhelpful.entries, ::testing::SizeIs(1));
  EXPECT_THAT(a_.calls, ElementsAre("filter incoming: n1 n2"));
}

}  // namespace
}  // namespace berth::scheduler
