// SPDX-License-Identifier: Apache-2.0
#include "scheduler/evictor.h"

#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::PodBuilder;
using testing::RecordingApi;
using ::testing::UnorderedElementsAre;

// EvictorTest has a full node n with the pods v0 to v2, and a rejected pod p of higher priority.
// The test chooses the victims in place of preemption.
class EvictorTest : public LoopTest {
 protected:
  EvictorTest() {
    // Like DefaultPreemption.
    script_.pre_enqueue = [this](const PendingPod& pod) {
      return evictor().IsPreempting(pod.uid())
                 ? Status::UnschedulableAndUnresolvable("waits for victims")
                 : Status::Success();
    };
    script_.no_event_helps = true;
    Serve("test", {&script_});
    scheduler_.On(api::Added(Node("n", "cpu=3,pods=10").Build()));
    for (const char* name : {"v0", "v1", "v2"}) scheduler_.On(api::Added(Victim(name).Build()));
    scheduler_.On(api::Added(Preemptor().Build()));
    Run();
    api_.patches.clear();
    api_.events.clear();
  }

  // Requests two CPUs: Pod already requests one.
  static PodBuilder Preemptor() { return Pod("p").Priority(10).Requests("cpu=1"); }
  static PodBuilder Victim(const std::string& name) {
    PodBuilder pod = Pod(name);
    pod.OnNode("n").raw().metadata.generation = 3;
    return pod;
  }
  Evictor& evictor() { return scheduler_.evictor(); }
  bool IsPreempting() { return evictor().IsPreempting("uid-p"); }

  EvictionRequest Request(const std::vector<std::string>& victims) {
    const Cache& cache = scheduler_.cache();
    EvictionRequest request{.preemptor = Preemptor().Info(words_),
                            .node = NodeRef(cache.At(cache.Find("n"))),
                            .victims = {},
                            .respect_budgets = respect_budgets_,
                            .scheduler_name = "test"};
    for (const std::string& name : victims) request.victims.push_back(cache.FindPod("uid-" + name));
    return request;
  }
  void Preempt(const std::vector<std::string>& victims) {
    evictor().Start(Request(victims));
    evictor().Proceed();
  }

  void Mark(const std::string& name) {  // the event of its deletion
    scheduler_.On(api::Modified(Victim(name).Build(), Victim(name).Terminating().Build()));
  }
  void Remove(const std::string& name) { scheduler_.On(api::Deleted(Victim(name).Build())); }

  // TakeCall removes and returns the oldest call about a victim; Reply answers it.
  RecordingApi::VictimCall TakeCall() {
    RecordingApi::VictimCall call = std::move(api_.victims.at(0));
    api_.victims.erase(api_.victims.begin());
    return call;
  }
  void Reply(Result<void> result = {}) { TakeCall().done(std::move(result)); }
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const auto& call : api_.victims) calls.push_back(call.call + " " + call.pod.name);
    return calls;
  }
  std::vector<std::string> Told() const {
    std::vector<std::string> told;
    for (const auto& [pod, event] : api_.events) {
      told.push_back(pod.name + " " + event.reason + ": " + event.note);
    }
    return told;
  }

  bool respect_budgets_ = false;
};

const char* const kPreempted = "Preempted by pod uid-p on node n";

TEST_F(EvictorTest, SetsTheConditionThenDeletesTheVictim) {
  Preempt({"v0"});
  ASSERT_THAT(Calls(), ElementsAre("mark v0"));
  const RecordingApi::VictimCall mark = TakeCall();
  EXPECT_EQ(mark.pod.uid, "uid-v0");
  EXPECT_EQ(mark.condition->type, "DisruptionTarget");
  EXPECT_EQ(mark.condition->status, "True");
  EXPECT_EQ(mark.condition->reason, "PreemptionByScheduler");
  EXPECT_EQ(mark.condition->message, "test: preempting to accommodate a higher priority pod");
  EXPECT_EQ(mark.condition->observed_generation, 3);
  EXPECT_EQ(mark.condition->last_transition_time, clock_.Wall());
  mark.done({});
  ASSERT_THAT(Calls(), ElementsAre("delete v0"));
  EXPECT_THAT(Told(), IsEmpty());
  Reply();
  EXPECT_THAT(Told(), ElementsAre(std::string("v0 Preempted: ") + kPreempted));
  const ObjectEvent& event = api_.events[0].second;
  EXPECT_EQ(event.type, EventType::kNormal);
  EXPECT_EQ(event.action, "Preempting");
  EXPECT_EQ(event.reporting_controller, "test");
  EXPECT_FALSE(IsPreempting());
  EXPECT_THAT(witness_.evictions, ElementsAre(true));
}

TEST_F(EvictorTest, StartsNothingBeforeTheEndOfTheCycle) {
  evictor().Start(Request({"v0"}));
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_TRUE(IsPreempting());
  evictor().Proceed();
  EXPECT_THAT(Calls(), ElementsAre("mark v0"));
  evictor().Proceed();
  EXPECT_EQ(api_.victims.size(), 1u);
}

TEST_F(EvictorTest, LastVictimIsRemovedAfterTheOthers) {
  Preempt({"v0", "v1", "v2"});
  EXPECT_THAT(Calls(), ElementsAre("mark v0", "mark v1"));
  Reply();
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("delete v0", "delete v1"));
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("delete v1"));
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("mark v2"));
  Reply();
  Reply();
  EXPECT_EQ(Told().size(), 3u);
  EXPECT_FALSE(IsPreempting());
}

// The event may arrive before the response, and no other event follows.
TEST_F(EvictorTest, PreemptorIsGatedUntilTheLastVictimTerminates) {
  Preempt({"v0", "v1"});
  Reply();
  Reply();
  Remove("v0");
  EXPECT_EQ(Where("p"), "gated") << "one of two victims is not enough";
  Reply();  // the mark of v1
  EXPECT_TRUE(IsPreempting());
  Mark("v1");
  EXPECT_FALSE(IsPreempting());
  Remove("v1");
  EXPECT_EQ(Where("p"), "backoff");
  Reply();
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
}

TEST_F(EvictorTest, SkipsTerminatingVictims) {
  const EvictionRequest request = Request({"v0", "v1", "v2"});
  Mark("v0");
  evictor().Start(request);
  evictor().Proceed();
  EXPECT_THAT(Calls(), ElementsAre("mark v1"));
}

TEST_F(EvictorTest, VictimThatIsGoneIsASuccessWithoutEvent) {
  Preempt({"v0", "v1", "v2"});
  Reply(Fail(Reason::kNotFound, "gone"));  // v0 when it is marked
  Reply();
  Reply(Fail(Reason::kNotFound, "gone"));  // v1 when it is deleted
  Remove("v2");
  EXPECT_THAT(Calls(), ElementsAre("mark v2"));
  Reply(Fail(Reason::kNotFound, "gone"));
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_THAT(witness_.evictions, ElementsAre(true));
}

// The patch hits another pod with that name, or another client deleted the victim.
TEST_F(EvictorTest, IgnoresErrorsForVictimsThatAreTerminating) {
  Preempt({"v0", "v1", "v2"});
  Remove("v0");
  Reply(Fail(Reason::kConflict, "the UID in the precondition does not match"));
  Mark("v1");
  Reply(Fail(Reason::kInternalError, "bad luck"));
  EXPECT_THAT(Calls(), ElementsAre("mark v2"));
}

TEST_F(EvictorTest, LastVictimThatIsGoneNeedsNoCall) {
  Preempt({"v0", "v1"});
  Remove("v1");
  Reply();
  Reply();
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_FALSE(IsPreempting());
}

// Its events arrived while it was gated, and no other will.
TEST_F(EvictorTest, GatedPodIsRetriedWhenNoVictimIsLeft) {
  Preempt({"v0", "v1"});
  Remove("v0");
  Remove("v1");
  EXPECT_EQ(Where("p"), "gated");
  Reply(Fail(Reason::kNotFound, "gone"));
  EXPECT_EQ(Where("p"), "backoff");
}

TEST_F(EvictorTest, FailureStopsFurtherEvictionsAndRetriesThePreemptor) {
  Preempt({"v0", "v1", "v2"});
  Reply(Fail(Reason::kForbidden, "no"));
  EXPECT_THAT(Calls(), ElementsAre("mark v1"));
  Reply();
  EXPECT_THAT(Calls(), IsEmpty()) << "v1 is not deleted, and v2 is not touched";
  EXPECT_FALSE(IsPreempting());
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_THAT(witness_.evictions, ElementsAre(false));
  EXPECT_EQ(Where("p"), "backoff");
  EXPECT_EQ(Run(), 0) << "not immediately, even though no other pod is ready";
  Pass(seconds(2));
  EXPECT_EQ(Run(), 1);
}

TEST_F(EvictorTest, DeletedPreemptorStopsFurtherEvictions) {
  Preempt({"v0", "v1", "v2"});
  Reply();  // v0 is marked
  scheduler_.On(api::Deleted(Preemptor().Build()));
  Reply();  // v1 is marked
  EXPECT_THAT(Calls(), ElementsAre("delete v0"));
  Reply();
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_FALSE(IsPreempting());
  EXPECT_TRUE(scheduler_.queue().nominator().empty());
  EXPECT_EQ(Where("p"), "nowhere");
}

TEST_F(EvictorTest, TerminatingPreemptorCausesNoEviction) {
  const auto request = Request({"v0"});
  scheduler_.On(api::Modified(Preemptor().Build(), Preemptor().Terminating().Build()));
  evictor().Start(request);
  evictor().Proceed();
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_FALSE(IsPreempting());
}

TEST_F(EvictorTest, ClearsNominationsOfLowerPriorityOnTheNode) {
  const auto nominated = [](const std::string& name, int32_t priority) {
    return Pod(name).Priority(priority).Requests("cpu=3").Nominated("n");
  };
  scheduler_.On(api::Added(nominated("low", 9).Build()));
  scheduler_.On(api::Added(nominated("equal", 10).Build()));
  scheduler_.On(api::Added(nominated("elsewhere", 9).Nominated("m").Build()));
  Preempt({"v0"});
  const Nominator& nominator = scheduler_.queue().nominator();
  EXPECT_EQ(nominator.NodeOf("uid-low"), "");
  EXPECT_EQ(nominator.NodeOf("uid-equal"), "n");
  EXPECT_EQ(nominator.NodeOf("uid-elsewhere"), "m");
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].pod.name, "low");
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, "");
  EXPECT_FALSE(api_.patches[0].patch.condition);
  api_.patches[0].done(Fail(Reason::kForbidden, "no"));
  Reply();
  Reply();
  EXPECT_THAT(witness_.evictions, ElementsAre(true)) << "the preemptor fits anyway";
}

// Victims that are not bound yet are removed without a call.
class EvictorInMemoryTest : public EvictorTest {
 protected:
  void ScheduleWaiter() {
    scheduler_.On(api::Added(Node("m", "cpu=2,pods=10").Build()));
    scheduler_.On(api::Added(Pod("w").Build()));
    Run();
    api_.events.clear();
    api_.patches.clear();
  }
};

TEST_F(EvictorInMemoryTest, VictimInPermitIsRejectedInMemory) {
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Wait(), seconds(60)}; };
  ScheduleWaiter();
  ASSERT_EQ(scheduler_.waiting().size(), 1u);
  Preempt({"w"});
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_THAT(Told(),
              UnorderedElementsAre(
                  "w FailedScheduling: waiting on permit for pod: preempted",
                  std::string("w Preempted: ") + kPreempted + " (in kube-scheduler memory)."));
  EXPECT_EQ(Where("w"), "backoff");
  EXPECT_EQ(Cpu("m"), 0);
  EXPECT_EQ(Where("p"), "active") << "it does not wait for its backoff";
  EXPECT_FALSE(IsPreempting());
}

TEST_F(EvictorInMemoryTest, VictimInPreBindIsRejectedWhenPreBindEnds) {
  script_.has_pre_bind = true;
  ScheduleWaiter();
  ASSERT_EQ(script_.pre_binds.size(), 1u);
  Preempt({"w"});
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_THAT(Told(), ElementsAre(std::string("w Preempted: ") + kPreempted +
                                  " (in kube-scheduler memory)."));
  EXPECT_FALSE(IsPreempting());
  api_.events.clear();
  script_.pre_binds[0](Status::Success());
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(Told(), ElementsAre("w FailedScheduling: preempted by DefaultPreemption"));
  EXPECT_EQ(Cpu("m"), 0);
  EXPECT_EQ(Where("p"), "backoff");
}

TEST_F(EvictorInMemoryTest, VictimWithSentBindingIsDeleted) {
  ScheduleWaiter();
  ASSERT_THAT(Bound(), ElementsAre("w to m"));
  Preempt({"w"});
  EXPECT_THAT(Calls(), ElementsAre("mark w"));
}

class EvictorWithBudgetsTest : public EvictorTest {
 protected:
  EvictorWithBudgetsTest() { respect_budgets_ = true; }
};

TEST_F(EvictorWithBudgetsTest, EvictsTheVictim) {
  Preempt({"v0"});
  EXPECT_THAT(Calls(), ElementsAre("evict v0"));
  Reply();
  EXPECT_THAT(Calls(), IsEmpty());
  EXPECT_THAT(Told(), ElementsAre(std::string("v0 Preempted: ") + kPreempted));
  EXPECT_THAT(witness_.evictions, ElementsAre(true));
}

TEST_F(EvictorWithBudgetsTest, RejectionByABudgetClearsTheNomination) {
  scheduler_.On(api::Modified(Preemptor().Build(), Preemptor().Nominated("n").Build()));
  ASSERT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "n");
  Preempt({"v0", "v1", "v2"});
  EXPECT_THAT(Calls(), ElementsAre("evict v0")) << "one by one";
  Reply();
  EXPECT_THAT(Calls(), ElementsAre("evict v1"));
  Reply(Fail(Reason::kTooManyRequests, "Cannot evict pod as it would violate the budget."));
  EXPECT_THAT(Calls(), IsEmpty()) << "v2 stays";
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "");
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].pod.name, "p");
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, "");
  EXPECT_THAT(Told(),
              ElementsAre(std::string("v0 Preempted: ") + kPreempted,
                          "p PreemptionRefused: Cannot evict default/v1: Cannot evict pod as it "
                          "would violate the budget. (1 of 3 victims on node n were evicted)"));
  EXPECT_EQ(Where("p"), "backoff");
  EXPECT_FALSE(IsPreempting());
  EXPECT_THAT(witness_.evictions, ElementsAre(false));
}

}  // namespace
}  // namespace berth::scheduler
