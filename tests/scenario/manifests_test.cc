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
