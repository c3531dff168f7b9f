// SPDX-License-Identifier: Apache-2.0
// Profiles that are being deleted, and schedulers that stay when their profile is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apps.h"
#include "api/rbac.h"
#include "crds/names.h"
#include "tests/controllers/reconciler_fixture.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DeletedProfile : public ReconcilerTest {
 protected:
  using Names = std::vector<std::string>;

  // Simulates a restart of the operator.
  void Restart() {
    std::destroy_at(&reconciler_);
    std::construct_at(&reconciler_, cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(),
                      clock_);
  }
  std::vector<ObjectKey> Bindings() {
    std::vector<ObjectKey> keys;
    for (const char* capability : {"base", "namespaces", "podgroups", "preemption",
                                   "volume-binding", "volumes", "workloads"}) {
      keys.push_back(
          {&api::ClusterRoleBinding::kResource, "", std::string("berth:a:") + capability});
    }
    return keys;
  }
  // Does the work of --cascade=orphan.
  void RemoveOwners() {
    for (const ObjectKey& key : cluster_.keys()) {
      const auto object = cluster_.Find(key);
      const api::OwnerReference* owner = object ? api::ControllerOf(object->metadata()) : nullptr;
      if (owner && owner->name == "a") cluster_.Edit(key, kNoOwner);
    }
  }
  void RemoveBindings() {
    for (const ObjectKey& key : Bindings()) cluster_.Remove(key);
  }
  // Creates a profile with an alias, and another one that asks for both of its names.
  void PutProfileAndHeir() {
    cluster_.PutProfile(MakeProfile("a", "{aliases: [b]}"));
    Settle();
    cluster_.PutProfile(MakeProfile("heir", "{aliases: [a, b]}"));
  }
  Names NamesOfHeir() {
    Reconcile("heir");
    return cluster_.ProfileNow("heir").status.scheduler.names;
  }
  std::string ReadyOfHeir() {
    const auto* ready = api::FindCondition(cluster_.ProfileNow("heir").status.conditions, "Ready");
    return ready->reason + ": " + ready->message;
  }

  static constexpr const char* kNoOwner = R"({"metadata":{"ownerReferences":null}})";
};

TEST_F(DeletedProfile, GetsNoObjectsBeforeItsDeletionIsObserved) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const crds::SchedulerProfile before = cluster_.ProfileNow("a");
  cluster_.DeleteProfile("a");
  cluster_.ShowProfile(before);
  cluster_.Remove(Key(api::Service::kResource));             // by the garbage collector
  cluster_.Edit(Key(api::Deployment::kResource), kNoOwner);  // by --cascade=orphan
  reconciler_.Reconcile("a");
  EXPECT_THAT(cluster_.writes, IsEmpty());
  EXPECT_THAT(cluster_.events, IsEmpty());
}

TEST_F(DeletedProfile, IsNotReadyWhileFinalizersHoldIt) {
  crds::SchedulerProfile profile = MakeProfile("a");
  profile.metadata.finalizers = {"example.com/held"};
  cluster_.PutProfile(profile);
  Settle();
  cluster_.MarkPodsReady();
  cluster_.DeleteProfile("a");
  ASSERT_TRUE(cluster_.ProfileNow("a").metadata.deletion_timestamp);
  cluster_.Remove(Key(api::Deployment::kResource));
  memory_.Observe(Key(api::Deployment::kResource));
  Reconcile();
  EXPECT_EQ(MessageOf("Ready"),
            "Terminating: the profile is being deleted; the operator no longer writes its objects; "
            "it is gone once these finalizers are removed: example.com/held");
  EXPECT_THAT(MessageOf("Available"), HasSubstr("NoDeployment"));
  EXPECT_THAT(cluster_.writes, ElementsAre("status SchedulerProfile a"));
  Reconcile();
  EXPECT_THAT(cluster_.writes, SizeIs(1));
}

// The parameter: the Deployment goes before the bindings.
class DeletedWithHeir : public DeletedProfile, public testing::WithParamInterface<bool> {};

TEST_P(DeletedWithHeir, KeepsItsNamesUntilNoBindingAndNoDeploymentIsLeft) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.PutProfile(MakeProfile("heir", "{aliases: [a]}"));
  NamesOfHeir();
  Settle();
  cluster_.DeleteProfile("a");
  const auto remove = [this](bool deployment) {
    deployment ? cluster_.Remove(Key(api::Deployment::kResource)) : RemoveBindings();
  };
  for (const bool one_is_left : {false, true}) {
    if (one_is_left) remove(GetParam());
    for (const bool restart : {false, true}) {
      if (restart) Restart();
      EXPECT_THAT(reconciler_.Reconcile("a").others, IsEmpty());
      EXPECT_THAT(NamesOfHeir(), ElementsAre("heir"));
    }
  }
  remove(!GetParam());
  EXPECT_THAT(reconciler_.Reconcile("a").others, ElementsAre("heir"));
  EXPECT_THAT(NamesOfHeir(), ElementsAre("heir", "a"));
}

INSTANTIATE_TEST_SUITE_P(DeploymentFirst, DeletedWithHeir, testing::Bool());

TEST_F(DeletedProfile, OrphanKeepsItsNamesAfterARestart) {
  PutProfileAndHeir();
  cluster_.DeleteProfile("a");
  RemoveOwners();
  Restart();
  EXPECT_THAT(NamesOfHeir(), ElementsAre("heir"));
  EXPECT_THAT(ReadyOfHeir(),
              HasSubstr("NameTaken: scheduler name a belongs to SchedulerProfile a"));
  EXPECT_THAT(ReadyOfHeir(), HasSubstr("kubectl delete deployments,clusterrolebindings "
                                       "--all-namespaces -l berth.dev/profile=a"));
  EXPECT_THAT(ReadyOfHeir(), HasSubstr("scheduler name b belongs to SchedulerProfile a"));
  cluster_.Remove(Key(api::Deployment::kResource));
  RemoveBindings();
  EXPECT_THAT(reconciler_.Reconcile("a").others, ElementsAre("heir"));
  EXPECT_THAT(NamesOfHeir(), ElementsAre("heir", "a", "b"));
}

TEST_F(DeletedProfile, OrphanIsReportedOnce) {
  PutProfileAndHeir();
  cluster_.DeleteProfile("a");
  reconciler_.Reconcile("a");
  EXPECT_THAT(NamesInEvents(), IsEmpty()) << "the garbage collector deletes it";
  RemoveOwners();
  for (int i = 0; i < 2; ++i) reconciler_.Reconcile("a");
  ASSERT_THAT(cluster_.events, SizeIs(1));
  EXPECT_EQ(cluster_.events[0].regarding.kind, "Deployment");
  EXPECT_EQ(cluster_.events[0].event.reason, "SchedulerOrphaned");
  EXPECT_THAT(cluster_.events[0].event.note,
              HasSubstr("may still bind pods of scheduler names a, b;"));
  EXPECT_EQ(reconciler_.orphans(), 1u);
  cluster_.Remove(Key(api::Deployment::kResource));
  RemoveBindings();
  reconciler_.Reconcile("a");
  EXPECT_EQ(reconciler_.orphans(), 0u);
}

TEST_F(DeletedProfile, CreatedAgainManagesItsOrphan) {
  PutProfileAndHeir();
  cluster_.DeleteProfile("a");
  RemoveOwners();
  Restart();
  cluster_.PutProfile(MakeProfile("a", "{aliases: [b]}"));
  Reconcile();
  EXPECT_EQ(cluster_.Find(Key(api::Deployment::kResource))->metadata().owner_references.size(), 1u);
  EXPECT_EQ(reconciler_.orphans(), 0u);
}

TEST_F(DeletedProfile, RecordsEventsOfDeletedProfileAfterRetries) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  cluster_.AddPendingPod("p", "a");
  reconciler_.RecordDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  for (const char* busy :
       {R"({"action": "fail", "verb": "list", "resource": "pods", "code": 429, "times": 1})",
        R"({"action": "fail", "verb": "list", "resource": "pods", "code": 403, "times": 1})"}) {
    cluster_.Inject(busy);
    EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kRetry);
  }
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kDone);
  EXPECT_EQ(cluster_.events.size(), 1u) << "one event for each pod";
}

TEST_F(DeletedProfile, RecordsEventsOfOtherNamesIfOneCannotBeListed) {
  cluster_.PutProfile(MakeProfile("a", "{aliases: [b, c]}"));
  Settle();
  for (const char* name : {"a", "b", "c"}) cluster_.AddPendingPod(name, name);
  reconciler_.RecordDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  cluster_.Inject(
      R"({"action": "fail", "verb": "list", "resource": "pods", "code": 400, "times": 1})");
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kRetry);
  EXPECT_THAT(NamesInEvents(), testing::ElementsAre("b", "c"));
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kDone);
  EXPECT_THAT(NamesInEvents(), testing::ElementsAre("b", "c", "a"));
}

TEST_F(DeletedProfile, RecordsEventsOnPendingPodsOfDeletedProfile) {
  cluster_.PutProfile(MakeProfile("a", "{aliases: [b]}"));
  Settle();
  reconciler_.RecordDeleted(cluster_.Profile("a"));
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

TEST_F(DeletedProfile, RecordsNoEventForNameServedByAnotherProfile) {
  cluster_.PutProfile(MakeProfile("a", "{aliases: [b, c]}"));
  cluster_.PutProfile(MakeProfile("heir", "{aliases: [a]}"));
  cluster_.PutProfile(MakeProfile("b", "{suspend: true}"));
  Settle();
  reconciler_.RecordDeleted(cluster_.Profile("a"));
  cluster_.DeleteProfile("a");
  for (const char* name : {"a", "b", "c"}) cluster_.AddPendingPod(name, name);
  reconciler_.Reconcile("a");
  EXPECT_THAT(NamesInEvents(), testing::ElementsAre("b", "c"))
      << "a suspended profile serves no name";
}

}  // namespace
}  // namespace berth::controllers
