// SPDX-License-Identifier: Apache-2.0
// Tests a reconciler beside other writers: admission, other controllers, another version of the
// operator.
#include <algorithm>

#include <gmock/gmock.h>

#include "tests/controllers/reconciler_fixture.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;

class WithAWebhook : public ReconcilerTest {
 protected:
  WithAWebhook() {
    cluster_.admission = [](const AnyObject& object) {
      const auto deployment = object.As<api::Deployment>();
      if (!deployment) return object;
      api::Deployment changed = *deployment;
      changed.spec.template_.spec.containers[0].image = "mirror/berth:test";
      return AnyObject::Of(std::move(changed));
    };
    cluster_.PutProfile(MakeProfile("a"));
    Reconcile();
    Reconcile();
  }

  // Updates the status as the Deployment controller does.
  void ReportStatus() {
    cluster_.ReportRollout(deployment_);
    memory_.Observe(deployment_);
    Reconcile();
  }

  const ObjectKey deployment_ = Key(api::Deployment::kResource);
};

TEST_F(WithAWebhook, ChangesAreReportedOnceAndNotWrittenAgain) {
  const std::string warning =
      "admission changes spec.template.spec.containers[0].image of Deployment "
      "berth-system/berth-a to \"mirror/berth:test\"";
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, Contains(warning));
  ASSERT_EQ(cluster_.events.size(), 1u);
  EXPECT_EQ(cluster_.events[0].event.reason, "ChangedByAdmission");
  EXPECT_EQ(cluster_.events[0].event.note, warning);
  cluster_.writes.clear();
  for (int i = 0; i < 3; ++i) ReportStatus();
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("Deployment"))));
  EXPECT_EQ(cluster_.events.size(), 1u);
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, Contains(warning));
}

TEST_F(WithAWebhook, WarningNamesTheRegisteredWebhooks) {
  const auto webhooks = json::Decode<api::MutatingWebhookConfiguration>(R"({
    "metadata": {"name": "mirror"},
    "webhooks": [
      {"name": "a.example.com", "rules":
       [{"apiGroups": ["apps"], "operations": ["*"], "resources": ["deployments"]}]},
      {"name": "b.example.com", "rules":
       [{"apiGroups": ["*"], "operations": ["*"], "resources": ["*"]}]},
      {"name": "c.example.com", "rules":
       [{"apiGroups": ["*"], "operations": ["*"], "resources": ["*"]}]},
      {"name": "d.example.com", "rules":
       [{"apiGroups": ["*"], "operations": ["*"], "resources": ["*"]}]}]})");
  cluster_.mutators.webhooks.push_back(
      std::make_shared<const api::MutatingWebhookConfiguration>(*webhooks));
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.deployment.node_selector["pool"] = "system";
  cluster_.PutProfile(changed);
  Reconcile();
  Reconcile();
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings,
              Contains(HasSubstr("to \"mirror/berth:test\" (registered for it: webhook "
                                 "mirror/a.example.com, webhook mirror/b.example.com, webhook "
                                 "mirror/c.example.com, and 1 more)")));
}

TEST_F(WithAWebhook, RestartedOperatorWritesOnceWithoutDriftEvent) {
  cluster_.writes.clear();
  Reconciler restarted(cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_);
  for (int i = 0; i < 3; ++i) restarted.Reconcile("a");
  EXPECT_THAT(cluster_.writes, testing::ElementsAre("apply Deployment berth-system/berth-a"));
  EXPECT_EQ(cluster_.events.size(), 1u) << "of the first operator";
}

TEST_F(WithAWebhook, WarningEndsWithTheWebhook) {
  cluster_.admission = nullptr;
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.deployment.node_selector["pool"] = "system";
  cluster_.PutProfile(changed);
  Reconcile();
  Reconcile();
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings,
              testing::Not(Contains(HasSubstr("admission"))));
}

TEST_F(WithAWebhook, ChangesByOtherClientsAreStillSetBack) {
  cluster_.events.clear();
  cluster_.Edit(deployment_, R"({"spec":{"replicas":5}})");
  memory_.Observe(deployment_);
  Reconcile();
  ASSERT_EQ(cluster_.events.size(), 1u);
  EXPECT_THAT(cluster_.events[0].event.note, HasSubstr("spec.replicas was changed"));
  EXPECT_THAT(cluster_.Find(deployment_)->Json(), HasSubstr(R"("replicas":1)"));
}

class ContestedObject : public ReconcilerTest {
 protected:
  ContestedObject() {
    cluster_.PutProfile(MakeProfile("a"));
    Settle();
  }

  // The other controller acts a second after ours.
  Outcome Scale() {
    clock_.Advance(std::chrono::seconds(1));
    cluster_.Edit(deployment_, R"({"spec":{"replicas":5}})", "keda");
    memory_.Observe(deployment_);
    return Reconcile();
  }

  int Applied() const {
    return static_cast<int>(
        std::ranges::count(cluster_.writes, "apply Deployment berth-system/berth-a"));
  }

  std::vector<PlannedEvent> EventsWith(const std::string& reason) const {
    std::vector<PlannedEvent> found;
    for (const auto& recorded : cluster_.events) {
      if (recorded.event.reason == reason) found.push_back(recorded.event);
    }
    return found;
  }

  const ObjectKey deployment_ = Key(api::Deployment::kResource);
};

TEST_F(ContestedObject, ContestCostsOneWriteAMinuteAndOneEvent) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Scale().contests, 0);
  EXPECT_EQ(Applied(), 5);
  const Outcome held = Scale();
  EXPECT_EQ(held.contests, 1);
  EXPECT_EQ(held.kind, Outcome::Kind::kDone) << "no immediate retry";
  EXPECT_LE(held.requeue_after.value(), std::chrono::seconds(60));
  EXPECT_EQ(Applied(), 5);
  const std::string message =
      "spec.replicas of Deployment berth-system/berth-a is changed again and again by field "
      "manager "
      "keda; it is set back once a minute";
  EXPECT_EQ(MessageOf("Reconciling"), "Contested: " + message);
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, Contains(message));

  cluster_.writes.clear();
  for (int i = 0; i < 180; ++i) Scale();
  EXPECT_EQ(Applied(), 3);
  EXPECT_EQ(cluster_.writes.size(), 3u) << "the status does not change";
  ASSERT_EQ(EventsWith("Contested").size(), 1u);
  EXPECT_TRUE(EventsWith("Contested")[0].is_warning);
  EXPECT_EQ(EventsWith("Contested")[0].note, message);
}

TEST_F(ContestedObject, RepeatedlyDeletedObjectIsCreatedOnceAMinute) {
  const auto remove = [this] {
    clock_.Advance(std::chrono::seconds(1));
    cluster_.Remove(deployment_);
    memory_.Observe(deployment_);
    return Reconcile();
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(remove().corrections, 1);
  const Outcome held = remove();
  EXPECT_EQ(held.corrections, 0);
  EXPECT_FALSE(cluster_.Find(deployment_));
  EXPECT_EQ(
      MessageOf("Reconciling"),
      "Contested: Deployment berth-system/berth-a is removed again and again by another client; "
      "it is created once a minute");
  clock_.Advance(held.requeue_after.value());
  EXPECT_EQ(Reconcile().corrections, 1);
  EXPECT_TRUE(cluster_.Find(deployment_));
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("Contested"));
}

TEST_F(ContestedObject, WarningEndsWithTheContest) {
  for (int i = 0; i < 6; ++i) Scale();
  clock_.Advance(std::chrono::seconds(60));
  const Outcome repaired = Reconcile();
  EXPECT_EQ(repaired.corrections, 1);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("Contested"));
  clock_.Advance(repaired.requeue_after.value());
  Reconcile();
  EXPECT_THAT(MessageOf("Reconciling"), testing::Not(HasSubstr("Contested")));
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, testing::Not(Contains(HasSubstr("keda"))));
}

TEST_F(ContestedObject, ProfileChangeIsAppliedDuringAContest) {
  for (int i = 0; i < 6; ++i) Scale();
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.deployment.node_selector["pool"] = "system";
  cluster_.PutProfile(changed);
  EXPECT_EQ(Reconcile().corrections, 0);
  EXPECT_THAT(cluster_.Find(deployment_)->Json(), HasSubstr(R"("pool":"system")"));
}

// A new version of the operator renders another image into each Deployment.
class WithANewOperator : public ReconcilerTest {
 protected:
  WithANewOperator() {
    for (const char* name : kNames) {
      cluster_.PutProfile(MakeProfile(name));
      Reconcile(name);
      cluster_.ReportRollout(DeploymentOf(name));
      memory_.Observe(DeploymentOf(name));
      Reconcile(name);
    }
  }

  static ObjectKey DeploymentOf(const std::string& profile) {
    return {&api::Deployment::kResource, "berth-system", "berth-" + profile};
  }

  bool IsNew(const std::string& profile) {
    return cluster_.Find(DeploymentOf(profile))->Json().find("berth:new") != std::string::npos;
  }

  // Reports a rollout as the Deployment controller does, then reconciles.
  void RollOut(const std::string& profile, int32_t updated, Reconciler& by) {
    cluster_.ReportRollout(DeploymentOf(profile), updated);
    memory_.Observe(DeploymentOf(profile));
    by.Reconcile(profile);
  }

  std::string ReconcilingOf(const std::string& profile) {
    const api::Condition* condition =
        api::FindCondition(cluster_.ProfileNow(profile).status.conditions, "Reconciling");
    return condition ? condition->reason : "";
  }

  static constexpr const char* kNames[] = {"a", "b", "c"};
  const PlanOptions new_options_{.default_image = {.name = "berth:new"},
                                 .max_concurrent_rollouts = 1};
  Reconciler new_{cluster_, cluster_, memory_, ShippedCatalogue(), new_options_, clock_};
};

TEST_F(WithANewOperator, ReplacesNoMoreSchedulersAtOnceThanAllowed) {
  for (const char* name : kNames) new_.Reconcile(name);
  EXPECT_TRUE(IsNew("a"));
  EXPECT_FALSE(IsNew("b"));
  EXPECT_FALSE(IsNew("c"));
  EXPECT_EQ(ReconcilingOf("b"), "WaitingForTurn");
  RollOut("a", 0, new_);
  const Outcome waiting = new_.Reconcile("b");
  EXPECT_EQ(waiting.kind, Outcome::Kind::kDone);
  EXPECT_LE(waiting.requeue_after.value(), std::chrono::seconds(5));
  EXPECT_FALSE(IsNew("b"));
  RollOut("a", 1, new_);
  new_.Reconcile("b");
  EXPECT_TRUE(IsNew("b"));
  new_.Reconcile("c");
  EXPECT_FALSE(IsNew("c"));
}

TEST_F(WithANewOperator, ProfileChangeNeedsNoTurn) {
  new_.Reconcile("a");
  new_.Reconcile("b");
  ASSERT_FALSE(IsNew("b"));
  crds::SchedulerProfile changed = cluster_.ProfileNow("b");
  changed.spec.deployment.node_selector["pool"] = "system";
  cluster_.PutProfile(changed);
  new_.Reconcile("b");
  EXPECT_TRUE(IsNew("b"));
}

TEST_F(WithANewOperator, CountsRolloutsFromBeforeARestart) {
  new_.Reconcile("a");
  RollOut("a", 0, new_);
  ASSERT_EQ(ReconcilingOf("a"), "RollingOut");
  Reconciler restarted(cluster_, cluster_, memory_, ShippedCatalogue(), new_options_, clock_);
  restarted.Reconcile("b");
  EXPECT_FALSE(IsNew("b"));
  RollOut("a", 1, restarted);
  restarted.Reconcile("b");
  EXPECT_TRUE(IsNew("b"));
}

TEST_F(WithANewOperator, DeletedProfileReturnsItsTurn) {
  new_.Reconcile("a");
  cluster_.DeleteProfile("a");
  new_.Reconcile("a");
  new_.Reconcile("b");
  EXPECT_TRUE(IsNew("b"));
}

TEST_F(WithANewOperator, DriftIsCorrectedWithoutATurn) {
  new_.Reconcile("a");
  RollOut("a", 0, new_);
  cluster_.Edit(DeploymentOf("a"), R"({"spec":{"paused":true,"minReadySeconds":7,"replicas":4}})");
  memory_.Observe(DeploymentOf("a"));
  EXPECT_EQ(new_.Reconcile("a").corrections, 1);
}

}  // namespace
}  // namespace berth::controllers
