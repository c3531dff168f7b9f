// SPDX-License-Identifier: Apache-2.0
#include "scenario/manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "scenario/api_server.h"
#include "scenario/parse.h"
#include "scenario/run.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Manifest ReadOne(const std::string& json) {
  return ReadManifests({{json}}, "objects").value().at(0);
}

std::string RejectionOf(const std::string& json) {
  const auto read = ReadManifests({{json}}, "objects");
  return read ? "read" : read.error().message();
}

TEST(ReadManifests, ParsesKindsAndDefaultsTheNamespace) {
  EXPECT_EQ(ReadOne(R"({"kind": "Namespace", "metadata": {"name": "red"}})").key, "Namespace/red");
  EXPECT_EQ(ReadOne(R"({"kind": "Service", "metadata": {"name": "web"}})").key,
            "Service/default/web");
  EXPECT_EQ(ManifestKey("Service/web"), "Service/default/web");
  EXPECT_EQ(ManifestKey("Service/red/web"), "Service/red/web");
  EXPECT_EQ(ManifestKey("Namespace/red"), "Namespace/red");
  EXPECT_THAT(RejectionOf(R"({"kind": "Secret", "metadata": {"name": "s"}})"),
              HasSubstr(R"(objects[0]: kind: unknown kind "Secret"; allowed: Namespace, Service)"));
  EXPECT_THAT(RejectionOf(R"({"kind": "Service"})"), HasSubstr("metadata.name: is missing"));
}

TEST(ReadManifests, ChoosesThePodGroupByItsApiVersion) {
  const Manifest native = ReadOne(
      R"({"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "g"}})");
  EXPECT_EQ(native.kind, scheduler::ObjectKind::kNativePodGroup);
  EXPECT_EQ(native.key, "PodGroup.scheduling.k8s.io/default/g");
  EXPECT_EQ(ManifestKey("PodGroup.scheduling.k8s.io/g"), native.key);
  EXPECT_EQ(ManifestKey(native.kind, "default/g"), native.key);
  const Manifest custom = ReadOne(
      R"({"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup", "metadata": {"name": "g"}})");
  EXPECT_EQ(custom.kind, scheduler::ObjectKind::kPodGroup);
  EXPECT_EQ(custom.key, "PodGroup/default/g");
  EXPECT_EQ(ManifestKey("PodGroup.scheduling.x-k8s.io/g"), custom.key);
  EXPECT_THAT(
      RejectionOf(R"({"apiVersion": "batch/v1", "kind": "PodGroup", "metadata": {"name": "g"}})"),
      HasSubstr(R"(unknown kind "PodGroup.batch")"));
}

class ManifestsTest : public ::testing::Test {
 protected:
  ManifestsTest() { server_.Connect(scheduler_); }

  // Returns the label "team" of the namespace red; "-" if the namespace is unknown.
  std::string TeamOfRed() const {
    const auto& namespaces = scheduler_.cache().Namespaces();
    const scheduler::LabelSet* labels = namespaces.LabelsOf(words_.Find("red"));
    if (labels == nullptr) return "-";
    return words_.Text(labels->Value(words_.Find("team")).value_or(scheduler::kNoSymbol));
  }
  static Manifest Red(const std::string& team) {
    return ReadOne(R"({"kind": "Namespace", "metadata": {"name": "red", "labels": {"team": ")" +
                   team + R"("}}})");
  }

  static std::string UidOf(const Manifest& written) {
    api::ObjectMeta identity{.name = written.key};
    Identities(0).Give("object", identity, {});
    return identity.uid;
  }

  FakeClock clock_;
  scheduler::Vocabulary words_;
  ApiServer server_{clock_, 0, [](const std::string&) {}};
  scheduler::SchedulerObserver observer_;
  scheduler::Scheduler scheduler_{clock_, server_, words_, observer_};
};

TEST_F(ManifestsTest, DeliverEachChangeToTheCore) {
  EXPECT_TRUE(server_.Create(Red("a")));
  EXPECT_EQ(TeamOfRed(), "a");
  EXPECT_FALSE(server_.Create(Red("a"))) << "it exists";
  EXPECT_TRUE(server_.Replace(Red("b")));
  EXPECT_EQ(TeamOfRed(), "b");
  EXPECT_TRUE(server_.DeleteObject("Namespace/red"));
  EXPECT_EQ(TeamOfRed(), "-");
  EXPECT_FALSE(server_.DeleteObject("Namespace/red")) << "it was deleted";
  EXPECT_FALSE(server_.Replace(Red("c")));
}

TEST_F(ManifestsTest, GroupConditionsAreSetAndKept) {
  const Manifest group = ReadOne(
      R"({"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "g"}})");
  ASSERT_TRUE(server_.Create(group));
  std::vector<std::string> errors;
  const auto patch = [&](const std::string& uid, const std::string& status) {
    api::Condition condition;
    condition.type = "PodGroupInitiallyScheduled";
    condition.status = status;
    condition.reason = "R";
    server_.PatchGroupCondition({.api_version = {},
                                 .kind = {},
                                 .namespace_ = "default",
                                 .name = "g",
                                 .uid = uid,
                                 .resource_version = {},
                                 .field_path = {}},
                                condition, [&](const Result<void>& result) {
                                  errors.push_back(result ? "" : result.error().message());
                                });
    server_.Deliver();
  };
  const auto* conditions = server_.ConditionsOf(group.key);
  ASSERT_NE(conditions, nullptr);
  patch("another", "True");
  EXPECT_THAT(*conditions, testing::IsEmpty());
  patch(UidOf(group), "False");
  patch(UidOf(group), "True");
  EXPECT_TRUE(server_.Replace(group));
  ASSERT_EQ(conditions->size(), 1u);
  EXPECT_EQ(TextOf(conditions->front()), "PodGroupInitiallyScheduled=True R: ");
  EXPECT_THAT(errors, ElementsAre(R"(podgroups "g" not found)", "", ""));
  EXPECT_EQ(server_.ConditionsOf("PodGroup.scheduling.k8s.io/default/h"), nullptr);
}

TEST(RunScenario, AcceptsOtherObjectsInitiallyAndInSteps) {
  const auto scenario = Parse(R"(summary: s
nodes: [{name: n1}]
pods: [{name: p}]
objects:
  - {kind: Namespace, metadata: {name: red, labels: {team: a}}}
steps:
  - create: {objects: [{kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}]}
  - update: {objects: [{kind: Namespace, metadata: {name: red}}]}
  - delete: {objects: [Service/web, Namespace/red]}
  - schedule
expect: {placements: {p: n1}}
)",
                              "a.yaml");
  ASSERT_TRUE(scenario) << scenario.error().message();
  const auto result = RunScenario(*scenario);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(result->differences, ElementsAre());
}

}  // namespace
}  // namespace berth::scenario
