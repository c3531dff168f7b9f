// SPDX-License-Identifier: Apache-2.0
// Removal of fields that other clients add to rendered objects.
#include "controllers/additions.h"

#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "controllers/rendered_kinds.h"
#include "crds/allowances.h"
#include "tests/controllers/reconciler_fixture.h"

namespace berth::controllers {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Document = nlohmann::json;

constexpr const char* kPodPatch = R"({"spec":{"template":{"spec":)";
constexpr const char* kPodPath = "spec.template.spec.";

// Wraps a patch of the pod template's spec.
std::string OfPods(const std::string& spec) { return kPodPatch + spec + "}}}"; }

class AddedFields : public ReconcilerTest {
 protected:
  using Admission = std::function<AnyObject(AnyObject)>;

  AddedFields() : AddedFields(nullptr) {}
  explicit AddedFields(Admission admission) {
    cluster_.admission = std::move(admission);
    cluster_.PutProfile(MakeProfile("a"));
    Settle();
  }

  // Returns the object's text without the part that every write changes.
  Document Stored(const ObjectKey& key) {
    Document text = Document::parse(cluster_.Find(key).value().text());
    for (const char* field : {"managedFields", "resourceVersion", "generation"}) {
      text["metadata"].erase(field);
    }
    text.erase("status");
    return text;
  }

  // Adds entries to lists of the scheduler's own container, which a merge patch would replace.
  void EditContainer(const std::string& field, const Document& entry) {
    Document containers = Document::parse(
        cluster_.Find(deployment_)->text())["spec"]["template"]["spec"]["containers"];
    containers[0][field].push_back(entry);
    cluster_.Edit(deployment_, OfPods(Document{{"containers", containers}}.dump()), "mallory");
  }
  void AddContainer(const std::string& name) {
    Document containers = Document::parse(
        cluster_.Find(deployment_)->text())["spec"]["template"]["spec"]["containers"];
    containers.push_back({{"name", name}, {"image", "evil"}});
    cluster_.Edit(deployment_, OfPods(Document{{"containers", containers}}.dump()), "mallory");
  }

  Outcome ReconcileAfter(const ObjectKey& key) {
    memory_.Observe(key);
    return Reconcile();
  }

  std::vector<std::string> Notes() const {
    std::vector<std::string> notes;
    for (const auto& recorded : cluster_.events) notes.push_back(recorded.event.note);
    return notes;
  }

  // Expects that the object, edited by mallory, becomes as before, with one event about the path.
  void ExpectRemoved(const ObjectKey& key, const Document& before, const std::string& path) {
    SCOPED_TRACE(path);
    ASSERT_NE(Stored(key), before) << "the edit had no effect";
    const Outcome outcome = ReconcileAfter(key);
    EXPECT_EQ(outcome.corrections, 1);
    EXPECT_EQ(Stored(key), before);
    EXPECT_THAT(Notes(), ElementsAre(HasSubstr(path + " was added by field manager mallory and "
                                                      "was removed")));
    EXPECT_EQ(cluster_.events.at(0).event.reason, "DriftRepaired");
    EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, IsEmpty());
    cluster_.events.clear();
    cluster_.writes.clear();
    EXPECT_EQ(ReconcileAfter(key).writes, 0) << "the second reconcile writes nothing";
    EXPECT_THAT(cluster_.writes, IsEmpty());
  }

  const ObjectKey deployment_ = Key(api::Deployment::kResource);
};

TEST_F(AddedFields, AreRemovedFromThePodTemplate) {
  const Document before = Stored(deployment_);
  const std::pair<const char*, const char*> fields[] = {
      {"hostNetwork", R"({"hostNetwork":true})"},
      {"hostPID", R"({"hostPID":true})"},
      {"hostIPC", R"({"hostIPC":true})"},
      {"shareProcessNamespace", R"({"shareProcessNamespace":true})"},
      {"hostAliases", R"({"hostAliases":[{"ip":"10.0.0.1","hostnames":["kubernetes.default"]}]})"},
      {"dnsConfig", R"({"dnsConfig":{"nameservers":["10.0.0.1"]}})"},
      {"runtimeClassName", R"({"runtimeClassName":"other"})"},
      {"tolerations", R"({"tolerations":[{"operator":"Exists"}]})"},
      {"imagePullSecrets[name=evil]", R"({"imagePullSecrets":[{"name":"evil"}]})"},
      {"initContainers[name=evil]", R"({"initContainers":[{"name":"evil","image":"evil"}]})"},
      {"securityContext.supplementalGroups", R"({"securityContext":{"supplementalGroups":[0]}})"},
      {"securityContext.sysctls",
       R"({"securityContext":{"sysctls":[{"name":"net.core.somaxconn","value":"1"}]}})"},
  };
  for (const auto& [path, patch] : fields) {
    cluster_.Edit(deployment_, OfPods(patch), "mallory");
    ExpectRemoved(deployment_, before, kPodPath + std::string(path));
  }
}

TEST_F(AddedFields, AreRemovedFromTheSchedulersContainer) {
  const Document before = Stored(deployment_);
  const std::string container = kPodPath + std::string("containers[name=scheduler].");
  EditContainer("env", {{"name", "LD_PRELOAD"}, {"value", "/tmp/evil.so"}});
  ExpectRemoved(deployment_, before, container + "env[name=LD_PRELOAD]");
  EditContainer("envFrom", {{"secretRef", {{"name", "evil"}}}});
  ExpectRemoved(deployment_, before, container + "envFrom");
  EditContainer("ports", {{"containerPort", 1}, {"protocol", "TCP"}});
  ExpectRemoved(deployment_, before, container + "ports[containerPort=1,protocol=TCP]");
  EditContainer("volumeMounts", {{"name", "config"}, {"mountPath", "/evil"}});
  ExpectRemoved(deployment_, before, container + "volumeMounts[mountPath=/evil]");
}

TEST_F(AddedFields, SecondContainerIsRemoved) {
  const Document before = Stored(deployment_);
  AddContainer("evil");
  ExpectRemoved(deployment_, before, kPodPath + std::string("containers[name=evil]"));
}

TEST_F(AddedFields, AreRemovedFromTheOtherKinds) {
  struct Edit {
    const api::ResourceInfo& resource;
    const char* path;
    const char* patch;
  };
  const Edit edits[] = {
      {api::Service::kResource, "spec.externalIPs", R"({"spec":{"externalIPs":["192.0.2.1"]}})"},
      {api::Service::kResource, "spec.ports[port=8443,protocol=TCP]",
       R"({"spec":{"ports":[{"name":"metrics","port":10259,"protocol":"TCP","targetPort":"metrics"},
                            {"name":"evil","port":8443,"protocol":"TCP","targetPort":8443}]}})"},
      {api::Service::kResource, "spec.publishNotReadyAddresses",
       R"({"spec":{"publishNotReadyAddresses":true}})"},
      {api::ServiceAccount::kResource, "imagePullSecrets",
       R"({"imagePullSecrets":[{"name":"evil"}]})"},
      {api::ConfigMap::kResource, "data.evil", R"({"data":{"evil":"x"}})"},
      {api::ConfigMap::kResource, "binaryData", R"({"binaryData":{"evil":"eA=="}})"},
      {api::Deployment::kResource, "spec.paused", R"({"spec":{"paused":true}})"},
      {api::Deployment::kResource, "spec.minReadySeconds", R"({"spec":{"minReadySeconds":9}})"},
  };
  for (const Edit& edit : edits) {
    const ObjectKey key = Key(edit.resource);
    const Document before = Stored(key);
    cluster_.Edit(key, edit.patch, "mallory");
    ExpectRemoved(key, before, edit.path);
  }
}

TEST_F(AddedFields, AreRemovedFromEntriesOfAnAtomicList) {
  const ObjectKey key = Key(api::NetworkPolicy::kResource);
  const Document before = Stored(key);
  Document ingress = before["spec"]["ingress"];
  ingress[0]["from"][0]["podSelector"] = {{"matchLabels", {{"a", "b"}}}};
  cluster_.Edit(key, Document{{"spec", {{"ingress", ingress}}}}.dump(), "mallory");
  ASSERT_NE(Stored(key), before);
  EXPECT_EQ(ReconcileAfter(key).corrections, 1);
  EXPECT_EQ(Stored(key), before);
}

TEST_F(AddedFields, OneEventNamesAllOfAnObject) {
  const Document before = Stored(deployment_);
  cluster_.Edit(deployment_, OfPods(R"({"hostNetwork":true})"), "mallory");
  cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), "eve");
  cluster_.Edit(deployment_, R"({"spec":{"replicas":5}})", "mallory");
  EXPECT_EQ(ReconcileAfter(deployment_).corrections, 1);
  EXPECT_EQ(Stored(deployment_), before);
  EXPECT_THAT(
      Notes(),
      ElementsAre(AllOf(
          HasSubstr("spec.replicas was changed and was set back; "),
          HasSubstr("spec.template.spec.hostPID was added by field manager eve and was removed"),
          HasSubstr("hostNetwork was added by field manager mallory and was removed"))));
}

TEST_F(AddedFields, AreRemovedWhateverFieldManagerTheyAreRecordedFor) {
  const Document before = Stored(deployment_);
  cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), std::string(kFieldManager));
  ReconcileAfter(deployment_);
  EXPECT_EQ(Stored(deployment_), before);
  EXPECT_THAT(Notes(), ElementsAre(HasSubstr("hostPID was added by another client")));

  cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), "mallory");
  cluster_.Edit(deployment_, R"({"metadata":{"managedFields":[{}]}})", "mallory");
  ReconcileAfter(deployment_);
  EXPECT_EQ(Stored(deployment_), before);
}

TEST_F(AddedFields, MetadataOfOthersIsKept) {
  const char* const note = R"({"annotations":{"example.com/note":"x"},"labels":{"team":"x"}})";
  cluster_.Edit(deployment_, std::string(R"({"metadata":)") + note + "}");
  cluster_.Edit(deployment_, R"({"spec":{"template":{"metadata":{"annotations":)"
                             R"({"kubectl.kubernetes.io/restartedAt":"2026-01-01"}}}}})");
  const Document before = Stored(deployment_);
  EXPECT_EQ(ReconcileAfter(deployment_).corrections, 0);
  EXPECT_EQ(Stored(deployment_), before);
  EXPECT_THAT(cluster_.writes, Not(Contains(HasSubstr("Deployment"))));
}

TEST_F(AddedFields, RegistrySecretsOfOpenShiftAreKept) {
  const ObjectKey key = Key(api::ServiceAccount::kResource);
  cluster_.Edit(key, R"({"imagePullSecrets":[{"name":"berth-a-dockercfg-x7k2p"}],
                         "secrets":[{"name":"berth-a-dockercfg-x7k2p"}]})");
  const Document before = Stored(key);
  EXPECT_EQ(ReconcileAfter(key).corrections, 0);
  EXPECT_EQ(Stored(key), before);
}

TEST_F(AddedFields, RestartedOperatorRemovesThemAndWritesNothingElse) {
  const Document before = Stored(deployment_);
  Reconciler unchanged(cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_);
  EXPECT_EQ(unchanged.Reconcile("a").writes, 0);
  EXPECT_THAT(cluster_.writes, IsEmpty());

  AddContainer("evil");
  memory_.Observe(deployment_);
  Reconciler restarted(cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_);
  restarted.Reconcile("a");
  EXPECT_EQ(Stored(deployment_), before);
  EXPECT_THAT(cluster_.writes, ElementsAre("remove fields Deployment berth-system/berth-a"));
}

TEST_F(AddedFields, AllowedOnesAreKeptWithEverythingBelow) {
  PlanOptions options = TestOptions();
  options.allowances.additions = {"Deployment.spec.template.spec.tolerations",
                                  "Deployment.spec.template.spec.containers[name=proxy]",
                                  "Service.spec.ports[port=9*"};
  Reconciler allowing(cluster_, cluster_, memory_, ShippedCatalogue(), options, clock_);
  const Document before = Stored(deployment_);
  cluster_.Edit(deployment_, OfPods(R"({"tolerations":[{"operator":"Exists"}]})"));
  AddContainer("proxy");
  const Document allowed = Stored(deployment_);
  AddContainer("proxy-2");
  memory_.Observe(deployment_);
  EXPECT_EQ(allowing.Reconcile("a").corrections, 1);
  EXPECT_EQ(Stored(deployment_), allowed);
  Reconcile();
  EXPECT_EQ(Stored(deployment_), before) << "an operator without the flag removes them";
}

TEST_F(AddedFields, ConflictIsNoFailureAndIsRetriedWithTheNewVersion) {
  const Document before = Stored(deployment_);
  cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), "mallory");
  cluster_.fault = [](const std::string& verb, const ObjectKey&) -> std::optional<Error> {
    if (verb != "remove fields") return std::nullopt;
    return Error(Reason::kConflict, "the object has been modified");
  };
  const Outcome conflict = ReconcileAfter(deployment_);
  EXPECT_EQ(conflict.kind, Outcome::Kind::kDone);
  EXPECT_EQ(conflict.corrections, 0);
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, IsEmpty())
      << "an addition that is still there is not taken for admission's";
  cluster_.fault = nullptr;
  EXPECT_EQ(ReconcileAfter(deployment_).corrections, 1);
  EXPECT_EQ(Stored(deployment_), before);
}

TEST_F(AddedFields, RejectedRemovalIsReportedAndRetried) {
  const Document before = Stored(deployment_);
  cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), "mallory");
  cluster_.fault = [](const std::string& verb, const ObjectKey&) -> std::optional<Error> {
    if (verb != "remove fields") return std::nullopt;
    return Error(Reason::kTimeout, "too slow");
  };
  EXPECT_EQ(ReconcileAfter(deployment_).kind, Outcome::Kind::kRetry);
  cluster_.fault = nullptr;
  EXPECT_EQ(ReconcileAfter(deployment_).corrections, 1);
  EXPECT_EQ(Stored(deployment_), before);
}

TEST_F(AddedFields, ContestCostsOneWriteAMinute) {
  const auto add = [this] {
    clock_.Advance(std::chrono::seconds(1));
    cluster_.Edit(deployment_, OfPods(R"({"hostPID":true})"), "mallory");
    return ReconcileAfter(deployment_);
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(add().contests, 0);
  EXPECT_EQ(add().contests, 1);
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings,
              ElementsAre(HasSubstr("spec.template.spec.hostPID of Deployment "
                                    "berth-system/berth-a is changed again and again by field "
                                    "manager mallory")));
  cluster_.writes.clear();
  for (int i = 0; i < 180; ++i) add();
  EXPECT_THAT(cluster_.writes, SizeIs(3));
}

TEST_F(AddedFields, ProfileChangeRemovesThemToo) {
  AddContainer("evil");
  crds::SchedulerProfile changed = cluster_.ProfileNow("a");
  changed.spec.deployment.node_selector["pool"] = "system";
  cluster_.PutProfile(changed);
  ReconcileAfter(deployment_);
  const std::string text = Stored(deployment_).dump();
  EXPECT_THAT(text, AllOf(HasSubstr(R"("pool":"system")"), Not(HasSubstr("evil"))));
}

// A webhook that adds a toleration to each Deployment.
class AddingWebhook : public AddedFields {
 protected:
  AddingWebhook() : AddedFields(&Tolerating) {}

  static AnyObject Tolerating(const AnyObject& object) {
    const auto deployment = object.As<api::Deployment>();
    if (!deployment) return object;
    api::Deployment changed = *deployment;
    changed.spec.template_.spec.tolerations = {{.key = "pool", .op = "Exists"}};
    return AnyObject::Of(std::move(changed));
  }

  const std::string warning_ =
      "admission adds spec.template.spec.tolerations to Deployment berth-system/berth-a: "
      R"([{"key":"pool","operator":"Exists"}])";
};

TEST_F(AddingWebhook, ItsFieldsAreKeptWithAWarning) {
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, ElementsAre(warning_));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ReconcileAfter(deployment_).corrections, 0);
  EXPECT_THAT(cluster_.writes, IsEmpty());
}

TEST_F(AddingWebhook, FieldsOfOthersAreRemovedBesideItsOwn) {
  const Document before = Stored(deployment_);
  AddContainer("evil");
  EXPECT_EQ(ReconcileAfter(deployment_).corrections, 1);
  EXPECT_EQ(Stored(deployment_), before);
  EXPECT_THAT(Notes(), ElementsAre(HasSubstr("containers[name=evil] was added by field manager")));
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, ElementsAre(warning_));
}

TEST_F(AddingWebhook, RestartedOperatorLearnsItsFieldsWithOneWriteThatChangesNothing) {
  const Document before = Stored(deployment_);
  const std::string version = cluster_.Find(deployment_)->metadata().resource_version;
  Reconciler restarted(cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_);
  for (int i = 0; i < 3; ++i) restarted.Reconcile("a");
  EXPECT_THAT(cluster_.writes, ElementsAre("remove fields Deployment berth-system/berth-a"));
  EXPECT_EQ(cluster_.Find(deployment_)->metadata().resource_version, version);
  EXPECT_THAT(cluster_.events, IsEmpty());
  EXPECT_THAT(cluster_.ProfileNow("a").status.warnings, ElementsAre(warning_));
}

TEST(Additions, KindsOfTheFlagAreTheRenderedKinds) {
  std::vector<std::string_view> kinds;
  for (const RenderedKind& kind : RenderedKinds()) {
    if (kind.resource->kind != api::Lease::kResource.kind) kinds.push_back(kind.resource->kind);
  }
  EXPECT_THAT(kinds, testing::UnorderedElementsAreArray(crds::KindsOfAdditions()));
}

}  // namespace
}  // namespace berth::controllers
