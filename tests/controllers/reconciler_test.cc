// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconciler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "base/fake_clock.h"
#include "client/status.h"
#include "controllers/lease_watch.h"
#include "controllers/render.h"
#include "tests/controllers/cluster_on_server.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const size_t kRenderedObjects = PlanAlone(MakeProfile("a")).apply.size();

class ReconcilerTest : public testing::Test {
 protected:
  Outcome Reconcile(const std::string& name = "a") {
    Outcome outcome = reconciler_.Reconcile(name);
    if (const auto profile = cluster_.Profile(name)) {
      EXPECT_EQ(profile->status.observed_generation, profile->metadata.generation);
      const std::string kstatus = KstatusOf(*profile);
      const bool ready = api::FindCondition(profile->status.conditions, "Ready")->status == "True";
      EXPECT_EQ(kstatus == "Current",
                ready && !api::FindCondition(profile->status.conditions, "Reconciling"));
    }
    return outcome;
  }

  // What the control plane does at once in tests: the stores hear of each write.
  void Settle() {
    Reconcile();
    Reconcile();
    cluster_.writes.clear();
    cluster_.events.clear();
  }

  std::string MessageOf(const std::string& type) {
    const api::Condition* condition =
        api::FindCondition(cluster_.ProfileNow("a").status.conditions, type);
    return condition ? condition->reason + ": " + condition->message : "";
  }

  ObjectKey Key(const api::ResourceInfo& resource) const {
    return {&resource, "berth-system", "berth-a"};
  }

  FakeClock clock_;
  ClusterOnServer cluster_;
  WriteMemory memory_;
  Reconciler reconciler_{cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_};
};

TEST_F(ReconcilerTest, CreatesEveryObjectOfANewProfile) {
  cluster_.PutProfile(MakeProfile("a"));
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kDone);
  EXPECT_EQ(cluster_.size(), kRenderedObjects);
  EXPECT_THAT(cluster_.writes, Contains("create Deployment berth-system/berth-a"));
  EXPECT_THAT(cluster_.writes, Contains("create ClusterRoleBinding berth:a:base"));
}

TEST_F(ReconcilerTest, WritesNothingWhenNothingChanged) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  for (int i = 0; i < 3; ++i) Reconcile();
  EXPECT_THAT(cluster_.writes, IsEmpty());
  EXPECT_THAT(cluster_.events, IsEmpty());
}

TEST_F(ReconcilerTest, DoesNotWriteAgainWhileTheStoresLagBehind) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.stores_are_stale = true;
  Reconcile();
  cluster_.writes.clear();
  Reconcile();
  EXPECT_THAT(cluster_.writes, IsEmpty());
}

TEST_F(ReconcilerTest, AfterALostReplyFindsItsOwnObjectAndWritesNothing) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  WriteMemory forgetful;
  Reconciler blind(cluster_, cluster_, forgetful, ShippedCatalogue(), TestOptions(), clock_);
  cluster_.stores_are_stale = true;
  blind.Reconcile("a");
  EXPECT_EQ(cluster_.size(), kRenderedObjects);
  for (const std::string& write : cluster_.writes)
    EXPECT_THAT(write, testing::Not(HasSubstr("apply")));
}

// Also the fields of an object whose creation was never confirmed are ours to remove.
TEST_F(ReconcilerTest, AfterALostReplyAFieldThatIsDroppedLaterGoes) {
  cluster_.PutProfile(MakeProfile("a", "{deployment: {env: [{name: GONE_LATER, value: x}]}}"));
  cluster_.Inject(
      R"({"action": "drop", "when": "after", "verb": "patch", "resource": "deployments", "times": 1})");
  Settle();
  const ObjectKey key = Key(api::Deployment::kResource);
  ASSERT_THAT(cluster_.Find(key)->Json(), HasSubstr("GONE_LATER"));
  cluster_.PutProfile(MakeProfile("a"));
  Reconcile();
  EXPECT_THAT(cluster_.writes, Contains("apply Deployment berth-system/berth-a"));
  EXPECT_THAT(cluster_.Find(key)->Json(), testing::Not(HasSubstr("GONE_LATER")));
}

TEST_F(ReconcilerTest, ANewProfileTakesOneWriteForEachObjectAndOneForItsStatus) {
  cluster_.PutProfile(MakeProfile("a"));
  EXPECT_EQ(Reconcile().writes, static_cast<int>(kRenderedObjects) + 1);
}

TEST_F(ReconcilerTest, RepairsEveryObjectThatIsDeleted) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  for (const RenderedObject& object : PlanAlone(cluster_.ProfileNow("a")).apply) {
    cluster_.Remove(object.key);
    memory_.Heard(object.key);
    Reconcile();
    EXPECT_TRUE(cluster_.Find(object.key)) << object.key.ToString();
  }
  EXPECT_EQ(cluster_.events.size(), kRenderedObjects);
}

TEST_F(ReconcilerTest, SetsBackAFieldOfOursWithOneWriteAndOneEvent) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const ObjectKey key = Key(api::Deployment::kResource);
  cluster_.Edit(key, R"({"spec":{"replicas":5,"paused":true}})");
  memory_.Heard(key);
  Reconcile();
  EXPECT_THAT(cluster_.writes, testing::ElementsAre("apply Deployment berth-system/berth-a"));
  ASSERT_EQ(cluster_.events.size(), 1u);
  EXPECT_EQ(cluster_.events[0].event.reason, "DriftRepaired");
  EXPECT_THAT(cluster_.events[0].event.note, HasSubstr("spec.replicas"));
  EXPECT_THAT(cluster_.Find(key)->Json(), HasSubstr(R"("replicas":1)"));
}

TEST_F(ReconcilerTest, TakesAChangedConfigurationOverWithoutCallingItDrift) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.percentage_of_nodes_to_score = 30;
  cluster_.PutProfile(changed);
  Reconcile();
  EXPECT_THAT(cluster_.writes, Contains("apply ConfigMap berth-system/berth-a"));
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("Deployment"))));
  for (const auto& recorded : cluster_.events) EXPECT_NE(recorded.event.reason, "DriftRepaired");
}

TEST_F(ReconcilerTest, DoesNotTakeAnObjectOfSomebodyElse) {
  cluster_.PutProfile(MakeProfile("a"));
  api::ObjectMeta foreign;
  foreign.owner_references = {{.api_version = "apps/v1",
                               .kind = "Deployment",
                               .name = "other",
                               .uid = "other-uid",
                               .controller = true,
                               .block_owner_deletion = std::nullopt}};
  cluster_.PutForeign(Key(api::ConfigMap::kResource), foreign);
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kStalled);
  EXPECT_TRUE(outcome.look_again.has_value());
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("NotOwned: ConfigMap berth-system/berth-a"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("Deployment other"));
  EXPECT_FALSE(cluster_.Find(Key(api::Deployment::kResource)));
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("apply ConfigMap"))));
}

TEST_F(ReconcilerTest, WaitsForTheObjectsOfADeletedProfileOfItsName) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  cluster_.DeleteProfile("a");
  cluster_.PutProfile(MakeProfile("a"));
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("WaitingForDeletion"));
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("apply"))));
}

TEST_F(ReconcilerTest, BuildsTheRestWhenOneKindIsForbidden) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.resource->kind != "Service") return std::nullopt;
    return Error(Reason::kForbidden, "services is forbidden");
  };
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kStalled);
  EXPECT_EQ(cluster_.size(), kRenderedObjects - 1);
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("Forbidden: cannot create services"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("deploy/install.yaml"));
}

TEST_F(ReconcilerTest, SaysHowANamespaceBecomesManaged) {
  cluster_.PutProfile(MakeProfile("a", "{namespace: team}"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.namespace_ != "team") return std::nullopt;
    return Error(Reason::kForbidden, "is forbidden");
  };
  Reconcile();
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("NamespaceNotManaged"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("berth:operator-namespace"));
}

TEST_F(ReconcilerTest, RetriesWhatMayPassAndShowsAWebhooksWords) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.resource->kind != "Deployment") return std::nullopt;
    return Error(Reason::kForbidden, "admission webhook \"x\" denied the request: not today");
  };
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kRetry);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("not today"));
}

// The worker goes on with other profiles: what waits is the profile, in the queue.
TEST_F(ReconcilerTest, DoesNotWaitWhereTheServerAsksForPatienceButSaysForHowLong) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.Inject(
      R"({"action": "fail", "resource": "deployments", "code": 429, "retryAfterSeconds": 3600})");
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_EQ(outcome.error->retry_after(), client::kLongestWait);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("Retrying: cannot create Deployment"));
}

TEST_F(ReconcilerTest, WhatADeletedProfileLeavesIsRemovedOnceTheServerHasTime) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const ObjectKey lease = Key(api::Lease::kResource);
  cluster_.PutForeign(lease, {});
  cluster_.AddPendingPod("p", "a");
  reconciler_.NoteDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  for (
      const char* busy :
      {R"({"action": "fail", "verb": "get", "resource": "leases", "code": 429, "retryAfterSeconds": 5, "times": 1})",
       R"({"action": "fail", "verb": "delete", "resource": "leases", "code": 503, "times": 1})",
       R"({"action": "fail", "verb": "list", "resource": "pods", "code": 429, "times": 1})"}) {
    cluster_.Inject(busy);
    const Outcome outcome = reconciler_.Reconcile("a");
    EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
    EXPECT_TRUE(outcome.error && outcome.error->IsTransient());
  }
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kDone);
  EXPECT_FALSE(cluster_.Find(lease));
  EXPECT_EQ(cluster_.events.size(), 1u) << "each pod is told once";
}

TEST_F(ReconcilerTest, RemovesWhatIsNotWantedAnyMore) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.network_policy.enabled = false;
  cluster_.PutProfile(changed);
  Reconcile();
  EXPECT_FALSE(cluster_.Find(Key(api::NetworkPolicy::kResource)));
}

TEST_F(ReconcilerTest, WritesNothingForAProfileThatIsBeingDeleted) {
  crds::SchedulerProfile profile = MakeProfile("a");
  profile.metadata.finalizers = {"example.com/held"};
  cluster_.PutProfile(profile);
  cluster_.DeleteProfile("a");
  ASSERT_TRUE(cluster_.ProfileNow("a").metadata.deletion_timestamp);
  EXPECT_EQ(reconciler_.Reconcile("a").writes, 0);
  EXPECT_THAT(cluster_.writes, IsEmpty());
}

TEST_F(ReconcilerTest, DoesNotGoBackToAnOlderGeneration) {
  cluster_.PutProfile(MakeProfile("a"));
  const crds::SchedulerProfile older = cluster_.ProfileNow("a");
  cluster_.PutProfile(MakeProfile("a", "{percentageOfNodesToScore: 99}"));
  Settle();
  cluster_.ShowProfile(older);
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kRetry);
  EXPECT_THAT(cluster_.writes, IsEmpty());
}

TEST_F(ReconcilerTest, TellsPendingPodsThatTheirSchedulerIsGone) {
  cluster_.PutProfile(MakeProfile("a", "{aliases: [b]}"));
  Settle();
  reconciler_.NoteDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  cluster_.AddPendingPod("p", "a");
  cluster_.AddPendingPod("q", "b");
  reconciler_.Reconcile("a");
  ASSERT_EQ(cluster_.events.size(), 2u);  // one for each name
  EXPECT_EQ(cluster_.events[0].event.reason, "SchedulerDeleted");
  EXPECT_TRUE(cluster_.events[0].event.is_warning);
  reconciler_.Reconcile("a");
  EXPECT_EQ(cluster_.events.size(), 2u);
}

TEST_F(ReconcilerTest, DeletesTheLeaseThatTheSchedulerLeaves) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const ObjectKey lease = Key(api::Lease::kResource);
  cluster_.PutForeign(lease, {});
  reconciler_.NoteDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  reconciler_.Reconcile("a");
  EXPECT_FALSE(cluster_.Find(lease));
}

TEST_F(ReconcilerTest, LooksAgainWhenTheSchedulerCouldHaveFallenSilent) {
  cluster_.PutProfile(MakeProfile("a"));
  api::Lease lease;
  lease.spec.holder_identity = "pod";
  lease.spec.lease_duration_seconds = 15;
  cluster_.SetLease(lease);
  cluster_.lease_unchanged = std::chrono::seconds(5);
  const Outcome outcome = Reconcile();
  ASSERT_TRUE(outcome.look_again.has_value());
  EXPECT_GT(*outcome.look_again, std::chrono::seconds(10));
  EXPECT_LT(*outcome.look_again, std::chrono::seconds(11));
}

TEST(WriteMemory, KeepsNothingOfAWriteThatAnEventOvertook) {
  WriteMemory memory;
  const ObjectKey key{&api::ConfigMap::kResource, "n", "a"};
  const uint64_t events = memory.EventsOf(key);
  memory.Heard(key);
  api::ConfigMap config_map;
  config_map.metadata.owner_references = {
      {.kind = "K", .name = "a", .uid = "u", .controller = true}};
  const AnyObject object = AnyObject::Of(config_map);
  memory.Remember(key, object, events);
  std::map<ObjectKey, AnyObject> objects;
  memory.Overlay("u", objects);
  EXPECT_THAT(objects, IsEmpty());
  memory.Remember(key, object, memory.EventsOf(key));
  memory.Overlay("u", objects);
  EXPECT_EQ(objects.size(), 1u);
}

TEST(IsNews, IsAnotherHolderAnotherReportOrTheEndOfSilence) {
  api::Lease old;
  old.spec.holder_identity = "a";
  old.spec.lease_duration_seconds = 15;
  api::Lease lease = old;
  EXPECT_FALSE(IsNews(lease, old, std::chrono::seconds(2)));
  EXPECT_TRUE(IsNews(lease, old, std::chrono::seconds(16)));
  lease.spec.holder_identity = "b";
  EXPECT_TRUE(IsNews(lease, old, std::chrono::seconds(2)));
  lease = old;
  lease.metadata.annotations["berth.dev/applied-config-hash"] = "x";
  EXPECT_TRUE(IsNews(lease, old, std::chrono::seconds(2)));
}

}  // namespace
}  // namespace berth::controllers
