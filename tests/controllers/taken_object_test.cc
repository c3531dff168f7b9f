// SPDX-License-Identifier: Apache-2.0
// Rendered objects from which another client removes the owner, and objects that were never
// rendered.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/apps.h"
#include "api/rbac.h"
#include "controllers/kind_watch.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"
#include "crds/names.h"
#include "tests/controllers/reconciler_fixture.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class TakenObject : public ReconcilerTest {
 protected:
  TakenObject() {
    cluster_.PutProfile(MakeProfile("a"));
    Settle();
  }

  // Simulates a restart of the operator.
  void Restart() {
    std::destroy_at(&reconciler_);
    std::construct_at(&reconciler_, cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(),
                      clock_);
  }
  // Takes the object away with this metadata, and changes it.
  void Take(const ObjectKey& key, const std::string& metadata, const std::string& change) {
    cluster_.Edit(key, R"({"metadata":{"ownerReferences":null,)" + metadata + "}," + change + "}");
    memory_.Observe(key);
  }
  void ExpectCorrected(const ObjectKey& key) {
    const api::ObjectMeta metadata = cluster_.Find(key)->metadata();
    ASSERT_EQ(metadata.owner_references.size(), 1u);
    EXPECT_EQ(metadata.owner_references[0].name, "a");
    EXPECT_EQ(metadata.labels.at("berth.dev/profile"), "a");
    EXPECT_EQ(metadata.labels.at("app.kubernetes.io/managed-by"), "berth-operator");
    EXPECT_THAT(cluster_.Find(key)->text(), Not(HasSubstr("evil")));
    EXPECT_THAT(MessageOf("Stalled"), Not(HasSubstr("NotOwned")));
  }

  using Texts = std::map<ObjectKey, std::string>;

  // Returns the namespaced objects of a profile "b" as they are rendered, and removes them again.
  Texts RenderObjectsOfB() {
    cluster_.PutProfile(MakeProfile("b", kAllKinds));
    Reconcile("b");
    Texts texts;
    for (const ObjectKey& key : cluster_.keys()) {
      const auto object = cluster_.Find(key);
      const bool is_of_b = object && ProfileInName(key.name) == "b";
      if (is_of_b && key.resource->namespaced) texts[key] = object->text();
    }
    RemoveAllOfB();
    return texts;
  }
  void RemoveAllOfB() {
    cluster_.DeleteProfile("b");
    for (const ObjectKey& key : cluster_.keys()) {
      if (ProfileInName(key.name) == "b" && cluster_.Find(key)) cluster_.Remove(key);
      if (ProfileInName(key.name) == "b") memory_.Observe(key);
    }
    reconciler_.Reconcile("b");
  }
  // Creates the object without an owner as field manager berth-operator. Returns its uid.
  std::string Forge(const ObjectKey& key, const std::string& text) {
    nlohmann::json copy = nlohmann::json::parse(text);
    for (const char* field : {"ownerReferences", "uid", "resourceVersion", "managedFields"}) {
      copy["metadata"].erase(field);
    }
    const auto kind =
        std::ranges::find(RenderedKinds(), key.resource->kind,
                          [](const RenderedKind& known) { return known.resource->kind; });
    const RenderedObject forged{
        .key = key, .object = kind->read(copy.dump()).value(), .hash = "", .part = Part::kAside};
    const AnyObject made = cluster_.Create(forged).value();
    EXPECT_TRUE(LooksRendered(made.metadata(), "b"));
    EXPECT_THAT(made.text(), HasSubstr(R"("manager":"berth-operator")"));
    EXPECT_THAT(made.text(), HasSubstr(R"("operation":"Apply")"));
    return made.metadata().uid;
  }
  void ExpectForeign(const ObjectKey& key, const std::string& uid) {
    const api::ObjectMeta metadata = cluster_.Find(key)->metadata();
    EXPECT_EQ(metadata.uid, uid);
    EXPECT_THAT(metadata.owner_references, IsEmpty());
    const api::Condition* stalled =
        api::FindCondition(cluster_.ProfileNow("b").status.conditions, "Stalled");
    ASSERT_TRUE(stalled);
    EXPECT_EQ(stalled->reason, "NotOwned");
    EXPECT_THAT(stalled->message, HasSubstr(key.ToString() + " exists and is not this profile's"));
    EXPECT_THAT(stalled->message, HasSubstr(uid));
    EXPECT_THAT(stalled->message,
                HasSubstr(fmt::format("kubectl delete {} {} -n {}", key.resource->plural, key.name,
                                      key.namespace_)));
  }

  // With an object of each rendered kind.
  static constexpr const char* kAllKinds = "{deployment: {replicas: 2}}";

  const ObjectKey deployment_ = Key(api::Deployment::kResource);
  const ObjectKey binding_{&api::ClusterRoleBinding::kResource, "", "berth:a:base"};

  static constexpr const char* kOtherLabel = R"("labels":{"berth.dev/profile":"x"})";
  static constexpr const char* kNoLabels =
      R"("labels":null,"annotations":{"berth.dev/rendered-hash":null})";
  static constexpr const char* kNoFact =
      R"("managedFields":[{}],"labels":null,"annotations":{"berth.dev/rendered-hash":null})";
  static constexpr const char* kEvilPod = R"("spec":{"template":{"spec":{"hostNetwork":true,)"
                                          R"("containers":[{"name":"evil","image":"evil"}]}}})";
  static constexpr const char* kEvilSubject =
      R"("subjects":[{"kind":"ServiceAccount","name":"evil","namespace":"default"}])";
};

TEST_F(TakenObject, IsCorrectedByTheOperatorThatWroteIt) {
  for (const char* metadata : {kOtherLabel, kNoLabels, kNoFact}) {
    Take(deployment_, metadata, kEvilPod);
    Take(binding_, metadata, kEvilSubject);
    Reconcile();
    ExpectCorrected(deployment_);
    EXPECT_THAT(cluster_.Find(deployment_)->text(), Not(HasSubstr(R"("hostNetwork":true)")));
    ExpectCorrected(binding_);
  }
  ASSERT_THAT(cluster_.events, Not(IsEmpty()));
  EXPECT_EQ(cluster_.events[0].event.reason, "DriftRepaired");
}

TEST_F(TakenObject, IsCorrectedAfterARestart) {
  for (const char* metadata : {kOtherLabel, kNoLabels, kNoFact}) {
    Take(deployment_, metadata, kEvilPod);
    Take(binding_, metadata, kEvilSubject);
    Restart();
    Reconcile();
    ExpectCorrected(deployment_);
    ExpectCorrected(binding_);
  }
}

TEST_F(TakenObject, IsNoLeftoverOfAProfileThatNeverExisted) {
  Take(deployment_, kOtherLabel, kEvilPod);
  Take(binding_, kOtherLabel, kEvilSubject);
  reconciler_.Reconcile("x");
  EXPECT_THAT(cluster_.events, IsEmpty());
  EXPECT_EQ(reconciler_.orphans(), 0u);
  cluster_.DeleteProfile("a");
  reconciler_.Reconcile("x");
  EXPECT_THAT(cluster_.events, IsEmpty());
  reconciler_.Reconcile("a");
  ASSERT_EQ(cluster_.events.size(), 1u);
  EXPECT_THAT(cluster_.events[0].event.note, HasSubstr("SchedulerProfile a was deleted"));
}

// Another client makes an object beforehand, with all that a rendered one has
// but the owner: labels, the hash, and the operator's apply in managedFields.
TEST_F(TakenObject, ObjectThatBerthNeverWroteIsNotTaken) {
  std::set<std::string_view> tried;
  for (const auto& [key, text] : RenderObjectsOfB()) {
    SCOPED_TRACE(key.ToString());
    tried.insert(key.resource->kind);
    const std::string uid = Forge(key, text);
    cluster_.PutProfile(MakeProfile("b", kAllKinds));
    EXPECT_EQ(Reconcile("b").kind, Outcome::Kind::kStalled);
    ExpectForeign(key, uid);
    RemoveAllOfB();
  }
  for (const RenderedKind& kind : RenderedKinds()) {
    EXPECT_EQ(tried.contains(kind.resource->kind), kind.resource->namespaced)
        << kind.resource->kind;
  }
}

// A recorded object is deleted, and a forged one of its name is not it.
TEST_F(TakenObject, ObjectInPlaceOfARecordedOneIsNotTaken) {
  for (const auto& [key, text] : RenderObjectsOfB()) {
    SCOPED_TRACE(key.ToString());
    cluster_.PutProfile(MakeProfile("b", kAllKinds));
    Reconcile("b");
    Reconcile("b");
    cluster_.Remove(key);
    memory_.Observe(key);
    const std::string uid = Forge(key, text);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(Reconcile("b").kind, Outcome::Kind::kStalled);
      ExpectForeign(key, uid);
      Restart();
    }
    RemoveAllOfB();
  }
}

TEST_F(TakenObject, IsRecordedForAProfileOfAnEarlierVersion) {
  crds::SchedulerProfile earlier = cluster_.ProfileNow("a");
  ASSERT_THAT(earlier.status.scheduler.objects, Not(IsEmpty()));
  ASSERT_TRUE(cluster_.PatchStatus(earlier.metadata, R"({"scheduler":{"objects":null}})"));
  Restart();
  Reconcile();
  EXPECT_EQ(cluster_.ProfileNow("a").status.scheduler.objects, earlier.status.scheduler.objects);
}

TEST_F(TakenObject, ObjectOfAnotherControllerIsNotTaken) {
  cluster_.Edit(deployment_, R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod",)"
                             R"("name":"other","uid":"other","controller":true}]}})");
  memory_.Observe(deployment_);
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kStalled);
  EXPECT_THAT(MessageOf("Stalled"), HasSubstr("it belongs to Pod other"));
  EXPECT_THAT(cluster_.writes, Not(Contains("apply Deployment berth-system/berth-a")));
}

TEST(NotifyProfiles, NotifiesProfilesOfNameAndLabels) {
  const auto labelled = [](const std::string& name, const std::string& profile) {
    api::Deployment deployment;
    deployment.metadata.name = name;
    if (!profile.empty()) deployment.metadata.labels["berth.dev/profile"] = profile;
    return AnyObject::Of(std::move(deployment));
  };
  std::vector<std::string> notified;
  const KindWatch::Listener listener = [&](const ObjectKey&, const std::string&,
                                           const std::string& profile) {
    notified.push_back(profile);
  };
  NotifyProfiles(listener, labelled("berth-a", "a"), labelled("berth-a", "a"));
  EXPECT_THAT(notified, testing::ElementsAre("a"));
  notified.clear();
  NotifyProfiles(listener, labelled("berth-a", "x"), labelled("berth-a", "y"));
  EXPECT_THAT(notified, testing::ElementsAre("a", "x", "y"));
  notified.clear();
  NotifyProfiles(listener, std::nullopt, labelled("mine", ""));
  EXPECT_THAT(notified, IsEmpty());
}

TEST(ProfileInName, ReadsNamesOfRenderedObjects) {
  EXPECT_EQ(ProfileInName("berth-a"), "a");
  EXPECT_EQ(ProfileInName("berth:a:base"), "a");
  EXPECT_EQ(ProfileInName("berth:a"), "") << "a capability";
  EXPECT_EQ(ProfileInName("mine"), "");
}

}  // namespace
}  // namespace berth::controllers
