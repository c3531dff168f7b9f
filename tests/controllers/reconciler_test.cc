// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconciler.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/status.h"
#include "controllers/lease_watch.h"
#include "controllers/render.h"
#include "crds/names.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/reconciler_fixture.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const size_t kRenderedObjects = PlanAlone(MakeProfile("a")).apply.size();

Error NoRight(const std::string& resource) {
  return {Reason::kForbidden,
          resource + " is forbidden: User \"o\" cannot create resource \"" + resource + "\""};
}

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

TEST_F(ReconcilerTest, FindsItsObjectsAfterALostResponse) {
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

// The fields of an object belong to us even if its creation was never confirmed.
TEST_F(ReconcilerTest, RemovesDroppedFieldAfterALostResponse) {
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

TEST_F(ReconcilerTest, NewProfileTakesOneWritePerObjectAndStatus) {
  cluster_.PutProfile(MakeProfile("a"));
  EXPECT_EQ(Reconcile().writes, static_cast<int>(kRenderedObjects) + 1);
}

TEST_F(ReconcilerTest, RecreatesEveryDeletedObject) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  for (const RenderedObject& object : PlanAlone(cluster_.ProfileNow("a")).apply) {
    cluster_.Remove(object.key);
    memory_.Observe(object.key);
    Reconcile();
    EXPECT_TRUE(cluster_.Find(object.key)) << object.key.ToString();
  }
  EXPECT_EQ(cluster_.events.size(), kRenderedObjects);
}

TEST_F(ReconcilerTest, SetsBackOwnedFieldWithOneWriteAndOneEvent) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const ObjectKey key = Key(api::Deployment::kResource);
  cluster_.Edit(key, R"({"spec":{"replicas":5}})");
  memory_.Observe(key);
  Reconcile();
  EXPECT_THAT(cluster_.writes, testing::ElementsAre("apply Deployment berth-system/berth-a"));
  ASSERT_EQ(cluster_.events.size(), 1u);
  EXPECT_EQ(cluster_.events[0].event.reason, "DriftRepaired");
  EXPECT_THAT(cluster_.events[0].event.note, HasSubstr("spec.replicas"));
  EXPECT_THAT(cluster_.Find(key)->Json(), HasSubstr(R"("replicas":1)"));
}

TEST_F(ReconcilerTest, AppliesChangedConfigurationWithoutDriftEvent) {
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

TEST_F(ReconcilerTest, DoesNotTakeOverObjectOfAnotherOwner) {
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
  EXPECT_TRUE(outcome.requeue_after.has_value());
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("NotOwned: ConfigMap berth-system/berth-a"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("Deployment other"));
  EXPECT_FALSE(cluster_.Find(Key(api::Deployment::kResource)));
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("apply ConfigMap"))));
}

TEST_F(ReconcilerTest, WaitsForObjectsOfDeletedProfileOfSameName) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  cluster_.DeleteProfile("a");
  cluster_.PutProfile(MakeProfile("a"));
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("WaitingForDeletion"));
  EXPECT_THAT(cluster_.writes, testing::Not(Contains(HasSubstr("apply"))));
}

TEST_F(ReconcilerTest, CreatesOtherObjectsWhenOneKindIsForbidden) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.resource->kind != "Service") return std::nullopt;
    return NoRight("services");
  };
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kStalled);
  EXPECT_EQ(cluster_.size(), kRenderedObjects - 1);
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("Forbidden: cannot create services"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("deploy/install.yaml"));
}

TEST_F(ReconcilerTest, DeploymentWaitsForItsBindings) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.resource->kind != "ClusterRoleBinding") return std::nullopt;
    return NoRight("clusterrolebindings");
  };
  Reconcile();
  EXPECT_FALSE(cluster_.Find(Key(api::ConfigMap::kResource)));
  EXPECT_FALSE(cluster_.Find(Key(api::Deployment::kResource)));
  EXPECT_TRUE(cluster_.Find(Key(api::Service::kResource))) << "it needs no binding";
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("cannot create clusterrolebindings"));
  cluster_.fault = nullptr;
  Reconcile();
  EXPECT_EQ(cluster_.size(), kRenderedObjects);
}

TEST_F(ReconcilerTest, WritesOnlyStatusOfPausedProfile) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  cluster_.Annotate("a", api::kPausedAnnotation, "true");
  const ObjectKey key = Key(api::Deployment::kResource);
  cluster_.Edit(key, R"({"spec":{"replicas":0}})");
  memory_.Observe(key);
  cluster_.PutProfile([this] {
    crds::SchedulerProfile changed = cluster_.ProfileNow("a");
    changed.spec.percentage_of_nodes_to_score = 30;
    return changed;
  }());
  Reconcile();
  Reconcile();
  EXPECT_THAT(cluster_.writes, testing::ElementsAre("status SchedulerProfile a"));
  EXPECT_THAT(MessageOf("Paused"), HasSubstr("berth.dev/paused"));
  EXPECT_EQ(MessageOf("Ready"), "") << "not ready, and not reconciled";
  EXPECT_EQ(MessageOf("Reconciling") + MessageOf("Stalled"), "");
  EXPECT_EQ(KstatusOf(cluster_.ProfileNow("a")), "Current");

  cluster_.Annotate("a", api::kPausedAnnotation, "");
  cluster_.writes.clear();
  Reconcile();
  EXPECT_THAT(cluster_.writes, Contains("apply ConfigMap berth-system/berth-a"));
  EXPECT_THAT(cluster_.writes, Contains("apply Deployment berth-system/berth-a"));
  EXPECT_EQ(MessageOf("Paused"), "");
}

TEST_F(ReconcilerTest, WarnsAboutUnknownValueOfPausedAnnotation) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.Annotate("a", api::kPausedAnnotation, "yes");
  Reconcile();
  EXPECT_TRUE(cluster_.Find(Key(api::Deployment::kResource)));
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings,
              Contains("metadata.annotations[berth.dev/paused]: found \"yes\", allowed: \"true\"; "
                       "the profile is not paused"));
}

// Meanwhile the scheduler renews its Lease every two seconds.
TEST_F(ReconcilerTest, WritesNothingInTenMinutesWithoutChanges) {
  cluster_.PutProfile(MakeProfile("a"));
  api::Lease lease;
  lease.spec.holder_identity = "pod";
  lease.spec.lease_duration_seconds = 15;
  cluster_.SetLease(lease);
  Settle();
  const SteadyTime end = clock_.Now() + std::chrono::minutes(10);
  while (clock_.Now() < end) {
    const Outcome outcome = Reconcile();
    EXPECT_EQ(outcome.writes, 0);
    clock_.Advance(
        std::min<std::chrono::nanoseconds>(outcome.requeue_after.value(), std::chrono::seconds(2)));
    lease.spec.renew_time = MicroTime(clock_.Wall());
    cluster_.SetLease(lease);
  }
  EXPECT_THAT(cluster_.writes, IsEmpty());
  EXPECT_THAT(cluster_.events, IsEmpty());
}

TEST_F(ReconcilerTest, DoesNotObserveNamespaceThatIsNotAllowed) {
  cluster_.PutProfile(MakeProfile("a", "{namespace: other}"));
  Reconcile();
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("spec.namespace: \"other\" is not allowed here"));
  EXPECT_EQ(cluster_.observations, 0);
}

TEST_F(ReconcilerTest, ReportsSchedulerInNamespaceNoLongerAllowed) {
  cluster_.PutProfile(MakeProfile("a"));
  Reconcile();
  PlanOptions narrower = TestOptions();
  narrower.allowances.namespaces.clear();
  Reconciler reconciler(cluster_, cluster_, memory_, ShippedCatalogue(), narrower, clock_);
  reconciler.Reconcile("a");
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("spec.namespace: \"berth-system\" is not allowed"));
  EXPECT_THAT(MessageOf("Available"), HasSubstr("0 of 1 scheduler pods are ready"))
      << "it is still there";
}

class CalledServicesTest : public ReconcilerTest {
 protected:
  void PutService(const std::string& spec) {
    const client::ApiRequest request{
        .method = "POST",
        .target = "/api/v1/namespaces/berth-system/services",
        .body = R"({"metadata": {"name": "ext"}, "spec": )" + spec + "}"};
    ASSERT_TRUE(cluster_.client().Call(request));
  }

  void PutExtender() {
    cluster_.PutProfile(MakeProfile(
        "a", "{extenders: [{urlPrefix: 'http://ext.berth-system.svc:8080', filterVerb: f}]}"));
  }
};

TEST_F(CalledServicesTest, RejectsExternalName) {
  PutService(R"({"type": "ExternalName", "externalName": "evil.example.com"})");
  PutExtender();
  Reconcile();
  EXPECT_EQ(
      MessageOf("Stalled"),
      "AddressNotAllowed: spec.extenders[urlPrefix=http://ext.berth-system.svc:8080].urlPrefix: "
      "\"http://ext.berth-system.svc:8080\" is not allowed here: Service berth-system/ext is of "
      "type "
      "ExternalName, which leads to any host; use a Service with a selector, or add "
      "ext.berth-system.svc:8080 to --allowed-addresses of the operator");
  EXPECT_FALSE(cluster_.Find(Key(api::ConfigMap::kResource)).has_value());
}

TEST_F(CalledServicesTest, RejectsServiceWithoutSelectorAlsoForMetricSources) {
  PutService(R"({"ports": [{"port": 9090}]})");
  cluster_.PutProfile(MakeProfile("a", R"({plugins: {score: {enabled: [{name: NetworkTraffic}]}},
      pluginConfig: [{name: NetworkTraffic, args: {address: "http://ext.berth-system.svc:9090"}}]})"));
  Reconcile();
  EXPECT_THAT(MessageOf("Stalled"),
              HasSubstr("AddressNotAllowed: spec.pluginConfig[name=NetworkTraffic].args.address: "
                        "\"http://ext.berth-system.svc:9090\" is not allowed here: Service "
                        "berth-system/ext has no selector"));
}

TEST_F(CalledServicesTest, AcceptsSelectorAndMissingServiceAndListedAddress) {
  PutExtender();
  EXPECT_EQ(Reconcile().requeue_after, std::chrono::minutes(1)) << "it may be created later";
  EXPECT_EQ(MessageOf("Stalled"), "");
  PutService(R"({"selector": {"app": "ext"}, "ports": [{"port": 8080}]})");
  Reconcile();
  EXPECT_EQ(MessageOf("Stalled"), "");

  PlanOptions listed = TestOptions();
  listed.allowances.addresses.emplace_back("ext.berth-system.svc:8080");
  Reconciler reconciler(cluster_, cluster_, memory_, ShippedCatalogue(), listed, clock_);
  int reads = 0;
  cluster_.fault = [&reads](const std::string&, const ObjectKey& key) -> std::optional<Error> {
    reads += key.name == "ext" ? 1 : 0;
    return std::nullopt;
  };
  reconciler.Reconcile("a");
  EXPECT_EQ(reads, 0) << "the administrator trusts the address, wherever it leads";
}

TEST_F(CalledServicesTest, NoticesAServiceThatBecomesExternalName) {
  PutService(R"({"selector": {"app": "ext"}, "ports": [{"port": 8080}]})");
  PutExtender();
  Settle();
  EXPECT_EQ(MessageOf("Stalled"), "");
  cluster_.Edit({&api::Service::kResource, "berth-system", "ext"},
                R"({"spec": {"type": "ExternalName", "externalName": "evil.example.com"}})");
  Reconcile();
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("is of type ExternalName"));
}

TEST_F(CalledServicesTest, ReadsEachServiceOncePerReconcile) {
  int reads = 0;
  cluster_.fault = [&reads](const std::string&, const ObjectKey& key) -> std::optional<Error> {
    reads += key.name == "ext" ? 1 : 0;
    return std::nullopt;
  };
  cluster_.PutProfile(MakeProfile("a", R"({extenders: [
      {urlPrefix: 'http://ext.berth-system.svc/a', filterVerb: f},
      {urlPrefix: 'http://ext.berth-system.svc/b', filterVerb: f}]})"));
  Reconcile();
  EXPECT_EQ(reads, 1);
  cluster_.PutProfile(MakeProfile("b"));
  reads = 0;
  Reconcile("b");
  EXPECT_EQ(reads, 0) << "a profile without calls reads nothing";
}

TEST_F(CalledServicesTest, RejectsAnUnreadableServiceAndRetriesAnUnreachableServer) {
  PutExtender();
  Error error(Reason::kForbidden, "User \"o\" cannot get resource \"services\"");
  cluster_.fault = [&error](const std::string&, const ObjectKey& key) -> std::optional<Error> {
    if (key.name != "ext") return std::nullopt;
    return error;
  };
  Reconcile();
  EXPECT_THAT(
      MessageOf("Stalled"),
      HasSubstr("Service berth-system/ext cannot be read by the operator (User \"o\" cannot get"));
  error = Error(Reason::kUnavailable, "busy");
  cluster_.writes.clear();
  const Outcome outcome = reconciler_.Reconcile("a");
  EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
  EXPECT_THAT(cluster_.writes, IsEmpty()) << "the profile is not judged without its Services";
}

TEST_F(ReconcilerTest, ExplainsHowToManageANamespace) {
  cluster_.PutProfile(MakeProfile("a", "{namespace: team}"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.namespace_ != "team") return std::nullopt;
    return NoRight("anything");
  };
  Reconcile();
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("NamespaceNotManaged"));
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("berth:operator-namespace"));
}

TEST_F(ReconcilerTest, RetriesTransientErrorAndShowsWebhookMessage) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.fault = [](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "create" || key.resource->kind != "Deployment") return std::nullopt;
    return Error(Reason::kForbidden, "admission webhook \"x\" denied the request: not today");
  };
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kRetry);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("not today"));
}

// The worker continues with other profiles; the profile waits in the queue.
TEST_F(ReconcilerTest, ReturnsRetryAfterInsteadOfWaiting) {
  cluster_.PutProfile(MakeProfile("a"));
  cluster_.Inject(
      R"({"action": "fail", "resource": "deployments", "code": 429, "retryAfterSeconds": 3600})");
  const Outcome outcome = Reconcile();
  EXPECT_EQ(outcome.kind, Outcome::Kind::kRetry);
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_EQ(outcome.error->retry_after(), client::kLongestWait);
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("Retrying: cannot create Deployment"));
}

TEST_F(ReconcilerTest, ListsPendingPodsOfAnyName) {
  const std::string names[] = {"UPPER case,=", "back\\slash", "a!=b"};
  for (const std::string& name : names) {
    cluster_.AddPendingPod("pod-" + std::to_string(name.size()), name);
  }
  for (const std::string& name : names) {
    const auto pods = cluster_.PendingPods(name);
    ASSERT_TRUE(pods) << pods.error().message();
    ASSERT_EQ(pods->size(), 1u) << name;
    EXPECT_EQ(pods->front().name, "pod-" + std::to_string(name.size()));
  }
}

TEST_F(ReconcilerTest, DeletesObjectsThatAreNoLongerPlanned) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.network_policy.enabled = false;
  cluster_.PutProfile(changed);
  Reconcile();
  EXPECT_FALSE(cluster_.Find(Key(api::NetworkPolicy::kResource)));
}

TEST_F(ReconcilerTest, IgnoresAnOlderGeneration) {
  cluster_.PutProfile(MakeProfile("a"));
  const crds::SchedulerProfile older = cluster_.ProfileNow("a");
  cluster_.PutProfile(MakeProfile("a", "{percentageOfNodesToScore: 99}"));
  Settle();
  cluster_.ShowProfile(older);
  EXPECT_EQ(reconciler_.Reconcile("a").kind, Outcome::Kind::kRetry);
  EXPECT_THAT(cluster_.writes, IsEmpty());
}

TEST_F(ReconcilerTest, OwnsLeaseAndKeepsFieldsOfTheScheduler) {
  cluster_.PutProfile(MakeProfile("a"));
  Settle();
  const ObjectKey key = Key(api::Lease::kResource);
  const auto lease = [&] { return cluster_.Find(key)->As<api::Lease>(); };
  EXPECT_EQ(lease()->metadata.owner_references.at(0).name, "a");
  EXPECT_EQ(lease()->spec, api::LeaseSpec{});

  cluster_.Edit(key, R"({"spec": {"holderIdentity": "pod-1", "leaseDurationSeconds": 15},
                         "metadata": {"annotations": {"berth.dev/applied-config-hash": "h"}}})");
  Settle();
  EXPECT_EQ(Reconcile().writes, 0);
  cluster_.Edit(key, R"({"metadata": {"ownerReferences": null}})");
  memory_.Observe(key);
  EXPECT_EQ(Reconcile().writes, 1) << "the owner reference is restored";
  EXPECT_EQ(lease()->metadata.owner_references.at(0).name, "a");
  EXPECT_EQ(lease()->spec.holder_identity, "pod-1");
  EXPECT_EQ(lease()->metadata.annotations.at("berth.dev/applied-config-hash"), "h");
}

TEST_F(ReconcilerTest, RejectsServiceAccountWithTheAnnotationOfALease) {
  const ObjectKey key = Key(api::ServiceAccount::kResource);
  PutReportAndProfile(key);
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kStalled);
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("NotOwned"));
  EXPECT_THAT(cluster_.Find(key)->metadata().owner_references, IsEmpty());
}

TEST_F(ReconcilerTest, AdoptsLeaseCreatedByTheScheduler) {
  const ObjectKey key = Key(api::Lease::kResource);
  PutReportAndProfile(key);
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kDone);
  EXPECT_EQ(cluster_.Find(key)->metadata().owner_references.at(0).name, "a");
  EXPECT_TRUE(cluster_.Find(Key(api::Deployment::kResource)));
}

TEST_F(ReconcilerTest, RequeuesWhenTheHeartbeatMayExpire) {
  cluster_.PutProfile(MakeProfile("a"));
  api::Lease lease;
  lease.spec.holder_identity = "pod";
  lease.spec.lease_duration_seconds = 15;
  cluster_.SetLease(lease);
  cluster_.lease_unchanged = std::chrono::seconds(5);
  const Outcome outcome = Reconcile();
  ASSERT_TRUE(outcome.requeue_after.has_value());
  EXPECT_GT(*outcome.requeue_after, std::chrono::seconds(10));
  EXPECT_LT(*outcome.requeue_after, std::chrono::seconds(11));
}

api::ConfigMap ConfigMapAt(std::string version) {
  api::ConfigMap config_map;
  config_map.metadata.name = "a";
  config_map.metadata.namespace_ = "n";
  config_map.metadata.resource_version = std::move(version);
  config_map.metadata.owner_references = {
      {.kind = "K", .name = "a", .uid = "u", .controller = true}};
  return config_map;
}

TEST(WriteMemory, ForgetsWriteOvertakenByDeletion) {
  WriteMemory memory;
  const ObjectKey key{&api::ConfigMap::kResource, "n", "a"};
  const uint64_t deletions = memory.DeletionsOf(key);
  memory.Observe(key);
  const AnyObject object = AnyObject::Of(ConfigMapAt("1"));
  memory.Remember(key, object, deletions);
  Observed observed;
  memory.Overlay(memory.WrittenFor("u"), observed);
  EXPECT_THAT(observed.objects, IsEmpty());
  memory.Remember(key, object, memory.DeletionsOf(key));
  memory.Overlay(memory.WrittenFor("u"), observed);
  EXPECT_EQ(observed.objects.size(), 1u);
  EXPECT_TRUE(observed.config_map);
}

TEST(WriteMemory, OverlaysWriteWhoseEventComesAfterCachesWereRead) {
  WriteMemory memory;
  const ObjectKey key{&api::ConfigMap::kResource, "n", "a"};
  memory.Remember(key, AnyObject::Of(ConfigMapAt("100")), 0);
  const auto written = memory.WrittenFor("u");
  const auto overlaid = [&](const char* cached) {
    Observed observed;
    observed.Take(AnyObject::Of(ConfigMapAt(cached)));
    memory.Overlay(written, observed);
    return observed.objects.at(key).metadata().resource_version;
  };
  memory.Observe(key, "100");
  EXPECT_EQ(overlaid("99"), "100");
  EXPECT_EQ(overlaid("101"), "101");
  memory.Observe(key);
  EXPECT_EQ(overlaid("99"), "99") << "deleted: the next event removes it from the caches";
}

TEST(WriteMemory, EndsWithWrittenVersionNotWithOlderOne) {
  WriteMemory memory;
  const ObjectKey key{&api::ConfigMap::kResource, "n", "a"};
  const AnyObject written = AnyObject::Of(ConfigMapAt("100"));
  const auto remembered = [&] {
    Observed observed;
    memory.Overlay(memory.WrittenFor("u"), observed);
    return observed.objects.size();
  };
  memory.Observe(key, "98");
  memory.Remember(key, written, 0);
  memory.Observe(key, "99");
  EXPECT_EQ(remembered(), 1u) << "it was on its way";
  memory.Observe(key, "100");
  EXPECT_EQ(remembered(), 0u);
  memory.Remember(key, written, 0);
  EXPECT_EQ(remembered(), 0u) << "the stores show it";
}

TEST(IsNews, DetectsNewHolderReportOwnerOrEndOfSilence) {
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
  lease = old;
  lease.metadata.owner_references = {{.kind = "SchedulerProfile", .name = "a", .uid = "u"}};
  EXPECT_TRUE(IsNews(lease, old, std::chrono::seconds(2)));
}

}  // namespace
}  // namespace berth::controllers
