// SPDX-License-Identifier: Apache-2.0
// Victims on an API server: pods with budgets and finalizers, recreated pods, and lost replies.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/core.h"
#include "api/pod.h"
#include "api/policy.h"
#include "base/mailbox.h"
#include "engine/api_port.h"
#include "tests/support/apiserver/in_memory_server.h"

namespace berth::engine {
namespace {

using scheduler::ApiPort;
using scheduler::PodRef;

class RemovalOnServer : public testing::Test {
 protected:
  RemovalOnServer() : port_(writer_, timer_, Options()) {
    api::ServiceAccount account;
    account.metadata.namespace_ = "default";
    account.metadata.name = "default";
    EXPECT_TRUE(client_.Create(account));
  }

  ApiPortOptions Options() {
    ApiPortOptions options;
    options.post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); };
    options.random = [] { return 0.0; };
    return options;
  }
  // Creates a running pod on a node; no kubelet terminates it.
  PodRef Run(const std::string& name, std::vector<std::string> finalizers = {}) {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = name;
    pod.metadata.labels = {{"app", "web"}};
    pod.metadata.finalizers = std::move(finalizers);
    pod.spec.node_name = "n1";
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "c";
    pod.spec.containers[0].image = "example.com/c";
    EXPECT_TRUE(client_.Create(pod));
    const auto running = client_.Patch<api::Pod>(
        "default", name,
        R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})",
        {.type = client::PatchType::kStrategicMerge}, "status");
    EXPECT_TRUE(running);
    return PodRef::Of(*running);
  }
  // Creates a budget that allows this many disruptions.
  void Allow(int32_t disruptions) {
    api::PodDisruptionBudget budget;
    budget.metadata.namespace_ = "default";
    budget.metadata.name = "web";
    budget.spec.selector.emplace().match_labels = {{"app", "web"}};
    auto made = client_.Create(budget);
    ASSERT_TRUE(made);
    made->status.observed_generation = made->metadata.generation;
    made->status.disruptions_allowed = disruptions;
    ASSERT_TRUE(client_.Update(*made, "status"));
  }
  int32_t Allowed() {
    return client_.Get<api::PodDisruptionBudget>("default", "web")->status.disruptions_allowed;
  }

  api::Pod Pod(const std::string& name) { return client_.Get<api::Pod>("default", name).value(); }
  bool IsGoing(const std::string& name) {
    return Pod(name).metadata.deletion_timestamp.has_value();
  }
  bool HasReason(const std::string& name, std::string_view reason) {
    const api::Pod pod = Pod(name);
    return std::ranges::any_of(pod.status.conditions, [&](const api::PodCondition& condition) {
      return condition.type == "DisruptionTarget" && condition.reason == reason;
    });
  }

  // Returns the outcome that the scheduling thread receives.
  using Call = std::function<void(ApiPort::Done)>;
  Result<void> OutcomeOf(const Call& call) {
    std::optional<Result<void>> outcome;
    call([&outcome](Result<void> result) { outcome = std::move(result); });
    while (!outcome) {
      for (const auto& message : mailbox_.Take(SteadyTime::max())) message();
    }
    return *outcome;
  }
  Result<void> Mark(const PodRef& pod) {
    api::PodCondition condition;
    condition.type = "DisruptionTarget";
    condition.status = "True";
    condition.reason = "PreemptionByScheduler";
    return OutcomeOf([&](ApiPort::Done done) { port_.MarkVictim(pod, condition, done); });
  }
  Result<void> Delete(const PodRef& pod) {
    return OutcomeOf([&](ApiPort::Done done) { port_.DeletePod(pod, done); });
  }
  Result<void> Evict(const PodRef& pod) {
    return OutcomeOf([&](ApiPort::Done done) { port_.EvictPod(pod, done); });
  }

  Mailbox<std::function<void()>> mailbox_;
  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  http::ThreadTimer timer_;
  ClientSender sender_{client_};
  ApiWriter writer_{sender_, {}};
  ApiServerPort port_;
};

TEST_F(RemovalOnServer, MarksAVictimAndKeepsItsGracePeriod) {
  const PodRef pod = Run("a");
  ASSERT_TRUE(Mark(pod));
  ASSERT_TRUE(Delete(pod));
  EXPECT_TRUE(HasReason("a", "PreemptionByScheduler"));
  EXPECT_TRUE(IsGoing("a"));
  EXPECT_EQ(Pod("a").metadata.deletion_grace_period_seconds, 30);
}

TEST_F(RemovalOnServer, LostRepliesChangeNothing) {
  const PodRef pod = Run("a");
  memory_.Inject(R"({"action": "drop", "when": "after", "verb": "patch", "times": 1})");
  memory_.Inject(R"({"action": "drop", "when": "after", "verb": "delete", "times": 1})");
  EXPECT_TRUE(Mark(pod));
  EXPECT_TRUE(Delete(pod));
  EXPECT_TRUE(IsGoing("a"));
}

TEST_F(RemovalOnServer, DeletesAVictimWithAFinalizerOnce) {
  const PodRef pod = Run("a", {"example.com/keep"});
  EXPECT_TRUE(Delete(pod));
  EXPECT_TRUE(Delete(pod));
  EXPECT_TRUE(IsGoing("a"));
}

TEST_F(RemovalOnServer, DoesNotTouchARecreatedPod) {
  const PodRef old = Run("a");
  ASSERT_TRUE(client_.Delete<api::Pod>("default", "a", {.grace_period_seconds = 0}));
  Run("a");
  EXPECT_FALSE(Mark(old));
  for (const auto& outcome : {Delete(old), Evict(old)}) {
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().Is(Reason::kNotFound)) << outcome.error().message();
  }
  EXPECT_FALSE(IsGoing("a"));
  EXPECT_FALSE(HasReason("a", "PreemptionByScheduler"));
}

TEST_F(RemovalOnServer, ReportsNotFoundForAMissingVictim) {
  const PodRef pod = Run("a");
  ASSERT_TRUE(client_.Delete<api::Pod>("default", "a", {.grace_period_seconds = 0}));
  for (const auto& outcome : {Mark(pod), Delete(pod), Evict(pod)}) {
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().Is(Reason::kNotFound)) << outcome.error().message();
  }
}

TEST_F(RemovalOnServer, ChargesAnEvictionWithLostReplyToTheBudgetOnce) {
  const PodRef a = Run("a");
  const PodRef b = Run("b");
  Allow(1);
  memory_.Inject(R"({"action": "drop", "when": "after", "subresource": "eviction", "times": 1})");
  EXPECT_TRUE(Evict(a));
  EXPECT_TRUE(IsGoing("a"));
  EXPECT_TRUE(HasReason("a", "EvictionByEvictionAPI"));
  EXPECT_EQ(Allowed(), 0);
  const auto rejected = Evict(b);
  ASSERT_FALSE(rejected);
  EXPECT_TRUE(rejected.error().Is(Reason::kTooManyRequests)) << rejected.error().message();
  EXPECT_FALSE(IsGoing("b"));
}

// The server sends Retry-After: 10 seconds.
TEST_F(RemovalOnServer, StaleBudgetRejectsTheEvictionAtOnce) {
  const PodRef pod = Run("a");
  Allow(1);
  ASSERT_TRUE(client_.Patch<api::PodDisruptionBudget>(
      "default", "web", R"({"spec":{"minAvailable":1}})", {.type = client::PatchType::kMerge}));
  const auto rejected = Evict(pod);
  ASSERT_FALSE(rejected);
  EXPECT_TRUE(rejected.error().Is(Reason::kTooManyRequests)) << rejected.error().message();
}

}  // namespace
}  // namespace berth::engine
