// SPDX-License-Identifier: Apache-2.0
#include "engine/api_port.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/api_port_fixture.h"

namespace berth::engine {
namespace {

// The core's callbacks must not be destroyed on a transport thread. The transport releases its
// callback at any time.
TEST_F(ApiPortTest, DestroysCallbacksOnTheSchedulingThread) {
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> watched = held;
  port_.Bind(pod_, "n1", [held = std::move(held)](const Result<void>&) {});
  EXPECT_EQ(watched.use_count(), 1);
  FakeServer::Exchange exchange = server_.TakeOldest();
  exchange.done(Lost());
  EXPECT_FALSE(watched.expired()) << "not before the scheduling thread has looked up the pod";
  Deliver();
  Answer(PodOn("n1"));
  EXPECT_TRUE(watched.expired()) << "although the transport still holds its callbacks";
}

TEST_F(ApiPortTest, BindPostsABindingWithTheUid) {
  Bind();
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a/binding");
  EXPECT_EQ(
      request.body,
      R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"a","namespace":"default","uid":"u1"},)"
      R"("target":{"kind":"Node","name":"n1"}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(ApiPortTest, CallbacksRunOnTheSchedulingThreadOnly) {
  Bind();
  server_.Answer("{}");
  EXPECT_TRUE(outcomes_.empty());
  Deliver();
  EXPECT_EQ(outcomes_.size(), 1u);
}

TEST_F(ApiPortTest, BindingWithLostReplySucceedsIfThePodIsBound) {
  Bind();
  Answer(Lost());
  EXPECT_TRUE(outcomes_.empty());
  EXPECT_EQ(Answer(PodOn("n1")).method, "GET");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(ApiPortTest, RetriesABindingWithLostReplyIfThePodHasNoNode) {
  Bind();
  Answer(Lost());
  Answer(PodOn(""));
  FireTimer();
  EXPECT_EQ(Answer("{}").method, "POST");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(ApiPortTest, BindingFailsAfterFourTries) {
  Bind();
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(outcomes_.empty());
    FireTimer();
    EXPECT_EQ(Answer(Fail(Reason::kInternalError, "etcd: too slow")).method, "POST");
    Answer(PodOn(""));
  }
  using std::chrono::milliseconds;
  EXPECT_EQ(timer_.delays(),
            (std::vector<milliseconds>{milliseconds(10), milliseconds(50), milliseconds(250)}));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].error().message(), "etcd: too slow");
}

TEST_F(ApiPortTest, DoesNotRetryABindingAfterAConflict) {
  Bind();
  Answer(Fail(Reason::kConflict, "pod a is being deleted, cannot be assigned to a host"));
  Answer(PodOn(""));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kConflict));
  EXPECT_EQ(server_.pending(), 0u);
}

TEST_F(ApiPortTest, RetriesTheLookupAfterALostReply) {
  Bind();
  Answer(Lost());
  Answer(Lost());
  EXPECT_TRUE(outcomes_.empty());
  FireTimer();
  Answer(Lost());
  FireTimer();
  Answer(PodOn("n1"));
  EXPECT_EQ(timer_.delays(), (std::vector<std::chrono::milliseconds>{
                                 std::chrono::milliseconds(100), std::chrono::milliseconds(200)}));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(ApiPortTest, BindingConflictIsLookedUp) {
  Bind();
  Answer(Fail(Reason::kConflict, "already assigned"));
  Answer(PodOn("n2"));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kConflict));
  EXPECT_EQ(outcomes_[0].error().message(), "pod default/a is bound to n2");
}

TEST_F(ApiPortTest, RecreatedPodWithTheNameDoesNotCountAsBound) {
  Bind();
  Answer(Fail(Reason::kConflict, "uid differs"));
  Answer(PodOn("n1", "u2"));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kNotFound));
}

TEST_F(ApiPortTest, DoesNotRetryAForbiddenBinding) {
  Bind();
  Answer(Fail(Reason::kForbidden, "no"));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kForbidden));
  EXPECT_EQ(server_.pending(), 0u);
}

TEST_F(ApiPortTest, WritesNothingAfterLosingLeadership) {
  may_write_ = false;
  Bind();
  Deliver();
  Patch();
  Deliver();
  EXPECT_EQ(server_.pending(), 0u);
  ASSERT_EQ(outcomes_.size(), 2u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kCanceled));
  EXPECT_TRUE(outcomes_[1].error().Is(Reason::kCanceled));
}

// Reads are safe, and the core needs the result.
TEST_F(ApiPortTest, LooksUpABindingAfterLosingLeadership) {
  Bind();
  may_write_ = false;
  Answer(Lost());
  EXPECT_EQ(Answer(PodOn("n1")).method, "GET");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(ApiPortTest, CallsForOnePodKeepTheirOrder) {
  Patch();
  Bind();
  EXPECT_EQ(server_.pending(), 1u);
  EXPECT_EQ(port_.InFlight(), 2u);
  EXPECT_EQ(port_.BindingsInFlight(), 1u);
  EXPECT_EQ(Answer("{}").method, "PATCH");
  EXPECT_EQ(port_.BindingsInFlight(), 1u);
  EXPECT_EQ(Answer("{}").method, "POST");
  EXPECT_EQ(port_.BindingsInFlight(), 0u);
  EXPECT_EQ(outcomes_.size(), 2u);
}

TEST_F(ApiPortTest, NewPatchMergesIntoTheQueuedPatch) {
  FillUp();
  Patch({.condition = Rejected("first"), .nominated_node_name = "n1"});
  Patch({.condition = Rejected("second")});
  EXPECT_EQ(writer_.Statistics().waiting[WriteClass::kStatus], 1u);
  const std::vector<ApiRequest> sent = AnswerAll();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_NE(sent[0].body.find("second"), std::string::npos);
  EXPECT_EQ(sent[0].body.find("first"), std::string::npos);
  EXPECT_NE(sent[0].body.find(R"("nominatedNodeName":"n1")"), std::string::npos)
      << "fields that the newer patch does not set stay";
  EXPECT_EQ(port_.InFlight(), 0u);
  for (const auto& outcome : outcomes_) EXPECT_TRUE(outcome);
}

TEST_F(ApiPortTest, NewPatchFollowsThePatchInFlight) {
  Patch({.condition = Rejected("first")});
  Patch({.condition = Rejected("second")});
  Patch({.condition = Rejected("third")});
  const std::vector<ApiRequest> sent = AnswerAll();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_NE(sent[0].body.find("first"), std::string::npos);
  EXPECT_NE(sent[1].body.find("third"), std::string::npos);
  EXPECT_EQ(outcomes_.size(), 3u);
}

TEST_F(ApiPortTest, NewPatchMergesIntoThePatchThatWaitsForRetry) {
  Patch({.condition = Rejected("first")});
  Answer(Fail(Reason::kConflict, "changed"));
  Patch({.condition = Rejected("second")});
  EXPECT_EQ(server_.pending(), 0u);
  FireTimer();
  const std::vector<ApiRequest> sent = AnswerAll();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_NE(sent[0].body.find("second"), std::string::npos);
}

// The binding supersedes the rejection before it, and must not wait for it.
TEST_F(ApiPortTest, BindingReplacesTheQueuedPatch) {
  FillUp();
  Patch();
  Bind();
  const std::vector<ApiRequest> sent = AnswerAll();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].method, "POST");
  EXPECT_EQ(std::count_if(outcomes_.begin(), outcomes_.end(),
                          [](const auto& outcome) { return !outcome; }),
            1)
      << "the patch was dropped";
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(ApiPortTest, BindingReplacesThePatchThatWaitsForRetry) {
  Patch();
  Answer(Fail(Reason::kConflict, "changed"));
  Bind();
  EXPECT_EQ(Answer("{}").method, "POST");
  FireTimer();
  EXPECT_EQ(server_.pending(), 0u);
  ASSERT_EQ(outcomes_.size(), 2u);
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(ApiPortTest, StatusPatchHasTheUidAndIsTriedFourTimes) {
  Patch();
  for (int i = 0; i < 3; ++i) {
    const ApiRequest request = Answer(Fail(Reason::kConflict, "changed"));
    EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a/status");
    EXPECT_EQ(request.content_type, "application/strategic-merge-patch+json");
    EXPECT_EQ(request.body, R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":null}})");
    EXPECT_TRUE(outcomes_.empty());
    FireTimer();
  }
  Answer(Fail(Reason::kConflict, "changed"));
  using std::chrono::milliseconds;
  EXPECT_EQ(timer_.delays(),
            (std::vector<milliseconds>{milliseconds(10), milliseconds(50), milliseconds(250)}));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_FALSE(outcomes_[0]);
}

// Two components write to one pod: the scheduling loop and preemption.
TEST_F(ApiPortTest, DoesNotMergeAPatchWithAnotherCondition) {
  FillUp();
  Patch({.condition = Rejected("no room")});
  api::PodCondition other = Rejected("");
  other.type = "DisruptionTarget";
  Patch({.condition = other});
  const std::vector<ApiRequest> sent = AnswerAll();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_NE(sent[0].body.find("PodScheduled"), std::string::npos);
  EXPECT_NE(sent[1].body.find("DisruptionTarget"), std::string::npos);
}

class RemovalTest : public ApiPortTest {
 protected:
  auto Done() {
    return [this](Result<void> result) { outcomes_.push_back(std::move(result)); };
  }
  // Answers every try with a failure; returns the number of tries.
  int FailThrough(const Failure& failure) {
    int tries = 0;
    for (; server_.pending() > 0; ++tries) {
      Answer(failure);
      timer_.Fire();
      Deliver();
    }
    return tries;
  }
};

TEST_F(RemovalTest, MarksAVictimByStatusPatch) {
  api::PodCondition condition;
  condition.type = "DisruptionTarget";
  port_.MarkVictim(pod_, condition, Done());
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "PATCH");
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a/status");
  EXPECT_EQ(request.body,
            R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"type":"DisruptionTarget"}]}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(RemovalTest, DeletesAVictimByUid) {
  port_.DeletePod(pod_, Done());
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "DELETE");
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a");
  EXPECT_EQ(request.body,
            R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u1"}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(RemovalTest, EvictsAVictimByUid) {
  port_.EvictPod(pod_, Done());
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a/eviction");
  EXPECT_EQ(
      request.body,
      R"({"apiVersion":"policy/v1","deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions",)"
      R"("preconditions":{"uid":"u1"}},"kind":"Eviction",)"
      R"("metadata":{"name":"a","namespace":"default"}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
}

TEST_F(RemovalTest, UidConflictMeansTheVictimIsGone) {
  port_.DeletePod(pod_, Done());
  EXPECT_EQ(FailThrough(Fail(Reason::kConflict, "the UID in the precondition does not match")), 1);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kNotFound));
}

TEST_F(RemovalTest, LostReplyIsRetriedThreeTimes) {
  port_.DeletePod(pod_, Done());
  EXPECT_EQ(FailThrough(Lost()), 4);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kUnavailable));
}

TEST_F(RemovalTest, DoesNotRetryABudgetRejection) {
  port_.EvictPod(pod_, Done());
  EXPECT_EQ(FailThrough(Fail(Reason::kTooManyRequests, "would violate the budget")), 1);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kTooManyRequests));
}

TEST_F(RemovalTest, EvictsNoPodAfterLosingLeadership) {
  may_write_ = false;
  port_.MarkVictim(pod_, {}, Done());
  Deliver();
  port_.DeletePod(pod_, Done());
  Deliver();
  EXPECT_EQ(server_.pending(), 0u);
  ASSERT_EQ(outcomes_.size(), 2u);
  for (const auto& outcome : outcomes_) EXPECT_TRUE(outcome.error().Is(Reason::kCanceled));
}

TEST_F(RemovalTest, PreemptionOfManyPodsIsSentCompletely) {
  constexpr size_t kVictims = 10'000;
  for (size_t i = 0; i < kVictims; ++i) {
    scheduler::PodRef pod = pod_;
    pod.uid += std::to_string(i);
    port_.DeletePod(pod, Done());
  }
  AnswerAll();
  EXPECT_EQ(outcomes_.size(), kVictims);
  EXPECT_TRUE(std::ranges::all_of(outcomes_, [](const auto& outcome) { return bool(outcome); }));
}

TEST_F(ApiPortTest, ReadPodReturnsThePodOfThatUid) {
  std::vector<std::string> phases;
  const auto done = [&phases](const Result<std::shared_ptr<const api::Pod>>& pod) {
    phases.push_back(pod ? (*pod)->status.phase : std::string(ToString(pod.error().reason())));
  };
  port_.ReadPod(pod_, done);
  const ApiRequest request = Answer(R"({"metadata":{"uid":"u1"},"status":{"phase":"Failed"}})");
  EXPECT_EQ(request.method + " " + request.target, "GET /api/v1/namespaces/default/pods/a");
  port_.ReadPod(pod_, done);
  Answer(R"({"metadata":{"uid":"another"},"status":{"phase":"Failed"}})");
  port_.ReadPod(pod_, done);
  Answer(Fail(Reason::kUnavailable, "down"));
  EXPECT_THAT(phases, testing::ElementsAre("Failed", std::string(ToString(Reason::kNotFound)),
                                           std::string(ToString(Reason::kUnavailable))));
}

TEST(StatusPatchBody, HoldsConditionAndNomination) {
  api::PodCondition condition;
  condition.type = "PodScheduled";
  condition.status = "False";
  const std::string body =
      StatusPatchBody("u1", StatusPatch::Of({.condition = condition, .nominated_node_name = "n1"}));
  EXPECT_EQ(
      body,
      R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"status":"False","type":"PodScheduled"}],)"
      R"("nominatedNodeName":"n1"}})");
}

}  // namespace
}  // namespace berth::engine
