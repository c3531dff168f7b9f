// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;

TEST(ClusterEvent, MatchesByResourceBitAndOrder) {
  struct {
    ClusterEvent registered, incoming;
    bool matches;
  } const cases[] = {
      {{Resource::kNode, action::kAdd, {}}, {Resource::kNode, action::kAdd, {}}, true},
      {{Resource::kNode, action::kAdd, {}}, {Resource::kNode, action::kDelete, {}}, false},
      {{Resource::kNode, action::kAdd, {}}, {Resource::kCsiNode, action::kAdd, {}}, false},
      {{Resource::kNode, action::kAdd | action::kUpdateNodeLabel, {}},
       {Resource::kNode, action::kUpdateNodeLabel, {}},
       true},
      {{Resource::kPod, action::kDelete, {}}, {Resource::kAssignedPod, action::kDelete, {}}, true},
      {{Resource::kPod, action::kDelete, {}}, {Resource::kTargetPod, action::kDelete, {}}, true},
      {{Resource::kAssignedPod, action::kDelete, {}}, {Resource::kPod, action::kDelete, {}}, false},
      {{Resource::kTargetPod, action::kUpdate, {}},
       {Resource::kAssignedPod, action::kUpdate, {}},
       false},
      // A generic update shares bits with a specific one, but is the greater number.
      {{Resource::kPod, action::kUpdatePodLabel, {}},
       {Resource::kAssignedPod, action::kUpdate, {}},
       false},
      {{Resource::kPod, action::kUpdate, {}}, {Resource::kAssignedPod, action::kUpdate, {}}, true},
      {{Resource::kPod, action::kAll, {}}, {Resource::kAssignedPod, action::kUpdate, {}}, true},
      {{Resource::kWildcard, action::kAll, {}}, {Resource::kNode, action::kDelete, {}}, true},
      {{Resource::kWildcard, action::kAdd, {}}, {Resource::kNode, action::kDelete, {}}, false},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(each.registered.Matches(each.incoming), each.matches)
        << each.registered.Label() << " and " << each.incoming.Label();
  }
}

TEST(ClusterEvent, HasUpstreamsLabels) {
  EXPECT_EQ((ClusterEvent{Resource::kAssignedPod, action::kDelete, {}}).Label(),
            "AssignedPodDelete");
  EXPECT_EQ((ClusterEvent{Resource::kNode, action::kUpdateNodeLabel, {}}).Label(),
            "NodeUpdateNodeLabel");
  EXPECT_EQ((ClusterEvent{Resource::kCsiNode, action::kAdd, {}}).Label(),
            "storage.k8s.io/CSINodeAdd");
  EXPECT_EQ((ClusterEvent{Resource::kPod, action::kUpdate, {}}).Label(), "PodUpdate");
  EXPECT_EQ((ClusterEvent{Resource::kPod, action::kAdd | action::kDelete, {}}).Label(),
            "PodAdd|Delete");
  EXPECT_EQ((ClusterEvent{Resource::kWildcard, action::kAll, "BackoffComplete"}).Label(),
            "BackoffComplete");
}

std::vector<std::string> PodLabels(const PodBuilder& before, const PodBuilder& after) {
  Vocabulary words;
  std::vector<std::string> labels;
  for (const auto& event : PodUpdateEvents(*before.Info(words), *after.Info(words))) {
    labels.push_back(event.Label());
  }
  return labels;
}

// Like PodInfo pairs in the cache, without API objects.
std::vector<std::string> PlacedLabels(const PodBuilder& before, const PodBuilder& after) {
  Vocabulary words;
  std::vector<std::string> labels;
  for (const auto& event : PodUpdateEvents(*before.Placed(words), *after.Placed(words))) {
    labels.push_back(event.Label());
  }
  return labels;
}

std::vector<std::string> NodeLabels(const NodeBuilder& before, const NodeBuilder& after) {
  std::vector<std::string> labels;
  for (const auto& event : NodeUpdateEvents(*before.Build(), *after.Build())) {
    labels.push_back(event.Label());
  }
  return labels;
}

TEST(PodUpdateEvents, ReturnsEachChangeInOrder) {
  EXPECT_THAT(PodLabels(MakePod("p").OnNode("n"), MakePod("p").OnNode("n").Label("a", "b")),
              ElementsAre("AssignedPodUpdatePodLabel"));
  EXPECT_THAT(
      PodLabels(MakePod("p").Requests("cpu=2").Gate("g"),
                MakePod("p").Requests("cpu=1").Toleration("t").Label("a", "b")),
      ElementsAre("TargetPodUpdatePodLabel", "TargetPodUpdatePodScaleDown",
                  "TargetPodUpdatePodSchedulingGatesEliminated", "TargetPodUpdatePodToleration"));
}

TEST(PodUpdateEvents, WorksWithoutObjectsOfPlacedPods) {
  const PodBuilder before = MakePod("p").OnNode("n").Requests("cpu=2,example.com/gpu=0");
  PodBuilder claim = before;
  claim.raw().status.resource_claim_statuses.push_back({"claim", "generated"});
  PodBuilder extended = before;
  extended.raw().status.extended_resource_claim_status.emplace().resource_claim_name = "gpus";
  EXPECT_THAT(PlacedLabels(before, claim),
              ElementsAre("AssignedPodUpdatePodGeneratedResourceClaim"));
  EXPECT_THAT(PlacedLabels(before, extended),
              ElementsAre("AssignedPodUpdatePodGeneratedResourceClaim"));
  EXPECT_THAT(PlacedLabels(before, MakePod("p").OnNode("n").Requests("cpu=2")),
              ElementsAre("AssignedPodUpdatePodScaleDown"))
      << "a removed request";
  EXPECT_THAT(PlacedLabels(before, PodBuilder(before).Toleration("t").Label("a", "b")),
              ElementsAre("AssignedPodUpdatePodLabel", "AssignedPodUpdatePodToleration"));
  EXPECT_THAT(PlacedLabels(before, before), ElementsAre("AssignedPodUpdate"));
}

TEST(PodUpdateEvents, DistinguishesHigherAndLowerRequests) {
  EXPECT_THAT(PodLabels(MakePod("p").Requests("cpu=1"), MakePod("p").Requests("cpu=2,memory=1Gi")),
              ElementsAre("TargetPodUpdatePodScaleUp"));
  EXPECT_THAT(PodLabels(MakePod("p").Requests("cpu=1,memory=2Gi"),
                        MakePod("p").Requests("cpu=2,memory=1Gi")),
              ElementsAre("TargetPodUpdatePodScaleDown", "TargetPodUpdatePodScaleUp"));
  EXPECT_THAT(PodLabels(MakePod("p").Requests("cpu=1,memory=1Gi"), MakePod("p").Requests("cpu=1")),
              ElementsAre("TargetPodUpdatePodScaleDown"));
}

TEST(PodUpdateEvents, RemovingOneOfTwoGatesIsGeneric) {
  EXPECT_THAT(PodLabels(MakePod("p").Gate("a").Gate("b"), MakePod("p").Gate("b")),
              ElementsAre("TargetPodUpdate"));
}

TEST(PodUpdateEvents, ReportsAGeneratedResourceClaim) {
  PodBuilder after = MakePod("p");
  after.raw().status.resource_claim_statuses.push_back({"claim", "generated"});
  EXPECT_THAT(PodLabels(MakePod("p"), after),
              ElementsAre("TargetPodUpdatePodGeneratedResourceClaim"));
}

TEST(NodeUpdateEvents, ReturnsEachChangeInOrder) {
  NodeBuilder after = MakeNode("n").Allocatable("cpu=8").Label("a", "b").Taint("t");
  after.raw().metadata.annotations["x"] = "y";
  after.raw().status.declared_features = {"F"};
  after.raw().status.conditions.push_back({.type = "DiskPressure", .status = "True"});
  EXPECT_THAT(NodeLabels(MakeNode("n").Allocatable("cpu=4").Unschedulable(), after),
              ElementsAre("NodeUpdateNodeTaint", "NodeUpdateNodeAllocatable", "NodeUpdateNodeLabel",
                          "NodeUpdateNodeTaint", "NodeUpdateNodeCondition",
                          "NodeUpdateNodeAnnotation", "NodeUpdateNodeDeclaredFeature"));
}

TEST(NodeUpdateEvents, IgnoresIrrelevantChanges) {
  EXPECT_THAT(NodeLabels(MakeNode("n"), MakeNode("n").Unschedulable()), ElementsAre());
  NodeBuilder before = MakeNode("n");
  NodeBuilder after = MakeNode("n");
  before.raw().status.conditions = {{.type = "Ready", .status = "True", .message = "before"}};
  after.raw().status.conditions = {{.type = "Ready", .status = "True", .message = "after"}};
  EXPECT_THAT(NodeLabels(before, after), ElementsAre());
  EXPECT_THAT(NodeLabels(MakeNode("n").Allocatable("memory=1Gi"),
                         MakeNode("n").Allocatable("memory=1024Mi")),
              ElementsAre());
}

}  // namespace
}  // namespace berth::scheduler
