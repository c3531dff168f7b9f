// SPDX-License-Identifier: Apache-2.0
// Rendered objects from which another client removes the owner, and objects that were never
// rendered.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apps.h"
#include "api/rbac.h"
#include "controllers/kind_watch.h"
#include "controllers/render.h"
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
  for (const char* metadata : {kOtherLabel, kNoLabels}) {
    Take(deployment_, metadata, kEvilPod);
    Take(binding_, metadata, kEvilSubject);
    Restart();
    Reconcile();
    ExpectCorrected(deployment_);
    ExpectCorrected(binding_);
  }
}

TEST_F(TakenObject, IsRetriedIfItsManagersCannotBeRead) {
  Take(deployment_, kOtherLabel, kEvilPod);
  Restart();
  cluster_.fault = [this](const std::string& verb, const ObjectKey& key) -> std::optional<Error> {
    if (verb != "get" || !(key == deployment_)) return std::nullopt;
    return Error(Reason::kUnavailable, "busy");
  };
  EXPECT_EQ(Reconcile().kind, Outcome::Kind::kRetry);
  EXPECT_THAT(MessageOf("Stalled"), Not(HasSubstr("NotOwned")));
  cluster_.fault = nullptr;
  Reconcile();
  ExpectCorrected(deployment_);
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

// Another client copies labels and annotations of a rendered object to an object of its own, or has
// a controller of its own.
TEST_F(TakenObject, ObjectThatBerthNeverWroteIsNotTaken) {
  const ObjectKey key{&api::ConfigMap::kResource, "berth-system", "berth-b"};
  api::ObjectMeta copy = cluster_.Find(Key(api::ConfigMap::kResource))->metadata();
  copy = {.labels = copy.labels, .annotations = copy.annotations};
  cluster_.PutForeign(key, copy);
  cluster_.PutProfile(MakeProfile("b"));
  EXPECT_EQ(Reconcile("b").kind, Outcome::Kind::kStalled);
  EXPECT_THAT(cluster_.Find(key)->metadata().owner_references, IsEmpty());
  EXPECT_THAT(cluster_.writes, Not(Contains("apply ConfigMap berth-system/berth-b")));
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
