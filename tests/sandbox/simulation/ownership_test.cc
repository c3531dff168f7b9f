// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/ownership.h"

#include <gmock/gmock.h>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using Kind = CollectorStep::Kind;
using ::testing::ElementsAre;

struct Given {
  std::vector<std::string> owners;
  std::vector<std::string> finalizers;
  bool leaving = false;
  bool blocks = true;
  std::string ns = "shop";
};

class OwnershipTest : public ::testing::Test {
 protected:
  void Put(const std::string& uid, const Given& given = {}) {
    OwnedObject object;
    object.metadata.uid = uid;
    object.metadata.name = uid;
    object.metadata.namespace_ = given.ns;
    object.metadata.finalizers = given.finalizers;
    if (given.leaving) object.metadata.deletion_timestamp = kNow;
    for (const std::string& owner : given.owners) {
      object.metadata.owner_references.push_back(
          {.kind = "Thing", .name = owner, .uid = owner, .block_owner_deletion = given.blocks});
    }
    graph_.Put(std::move(object));
  }
  CollectorStep Decide(const std::string& uid) const {
    return graph_.Decide(
        uid, [this](const OwnedObject&, const api::OwnerReference&) { return unknown_are_gone_; });
  }

  Ownership graph_;
  bool unknown_are_gone_ = true;
};

TEST_F(OwnershipTest, IgnoresObjectWithoutOwners) {
  Put("a");
  EXPECT_EQ(Decide("a").kind, Kind::kNothing);
  EXPECT_EQ(Decide("unknown").kind, Kind::kNothing);
}

TEST_F(OwnershipTest, WithUnknownOwnersListsDependents) {
  Put("owner");
  Put("child", {.owners = {"owner"}});
  EXPECT_THAT(graph_.WithUnknownOwners(), ElementsAre());
  Put("half", {.owners = {"owner", "elsewhere"}});
  EXPECT_THAT(graph_.WithUnknownOwners(), ElementsAre("half"));
  graph_.Remove("owner");
  EXPECT_THAT(graph_.WithUnknownOwners(), ElementsAre("child", "half"));
}

TEST_F(OwnershipTest, DeletesDependentOfLastOwner) {
  Put("owner");
  Put("child", {.owners = {"owner", "gone"}});
  EXPECT_EQ(Decide("child").kind, Kind::kNothing);
  graph_.Remove("owner");
  const CollectorStep step = Decide("child");
  EXPECT_EQ(step.kind, Kind::kDelete);
  EXPECT_EQ(step.propagation, "Background");
}

TEST_F(OwnershipTest, UnknownOwnerIsNotAssumedGone) {
  unknown_are_gone_ = false;
  Put("child", {.owners = {"owner"}});
  EXPECT_EQ(Decide("child").kind, Kind::kNothing);
}

TEST_F(OwnershipTest, IgnoresOwnerInAnotherNamespace) {
  Put("owner", {.ns = "elsewhere"});
  Put("child", {.owners = {"owner"}});
  EXPECT_EQ(Decide("child").kind, Kind::kDelete);
  Put("owner", {.ns = ""});
  EXPECT_EQ(Decide("child").kind, Kind::kNothing);
}

TEST_F(OwnershipTest, ForegroundDeletesDependentsFirst) {
  Put("owner", {.finalizers = {kForegroundFinalizer}, .leaving = true});
  Put("child", {.owners = {"owner"}});
  const CollectorStep step = Decide("owner");
  EXPECT_EQ(step.kind, Kind::kDeleteDependents);
  EXPECT_THAT(step.others, ElementsAre("child"));
  EXPECT_EQ(Decide("child").propagation, "Background");
  Put("grandchild", {.owners = {"child"}});
  EXPECT_EQ(Decide("child").propagation, "Foreground");
}

TEST_F(OwnershipTest, ForegroundWaitsForBlockingDependents) {
  Put("owner", {.finalizers = {kForegroundFinalizer}, .leaving = true});
  Put("child", {.owners = {"owner"}, .leaving = true});
  EXPECT_EQ(Decide("owner").kind, Kind::kNothing);
  Put("child", {.owners = {"owner"}, .leaving = true, .blocks = false});
  const CollectorStep step = Decide("owner");
  EXPECT_EQ(step.kind, Kind::kRemoveFinalizer);
  EXPECT_EQ(step.finalizer, kForegroundFinalizer);
}

TEST_F(OwnershipTest, OrphansAreKept) {
  Put("owner", {.finalizers = {kOrphanFinalizer}, .leaving = true});
  Put("child", {.owners = {"owner"}});
  const CollectorStep step = Decide("owner");
  EXPECT_EQ(step.kind, Kind::kDropReferences);
  EXPECT_THAT(step.others, ElementsAre("child"));
  Put("child");
  EXPECT_EQ(Decide("owner").kind, Kind::kRemoveFinalizer);
}

TEST_F(OwnershipTest, OrphanFinalizerSetsOrphanPropagation) {
  Put("child", {.owners = {"gone"}, .finalizers = {kOrphanFinalizer}});
  EXPECT_EQ(Decide("child").propagation, "Orphan");
}

}  // namespace
}  // namespace berth::simulation
