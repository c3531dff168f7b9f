// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/default_selectors.h"

#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::MakeReplicaSet;
using testing::MakeReplicationController;
using testing::MakeService;
using testing::MakeStatefulSet;
using testing::PodBuilder;
using Texts = std::set<std::string>;

api::LabelSelector Labels(api::StringMap labels) { return {std::move(labels), {}}; }

class DefaultSelectorsTest : public ::testing::Test {
 protected:
  // Returns the requirements for a pod as text: "app In web", "tier Exists".
  Texts Of(const PodBuilder& pod) {
    static constexpr std::array kOperators = {"In", "NotIn", "Exists", "DoesNotExist"};
    Texts texts;
    const api::Selector selector = selectors_.Of(*pod.Info(words_));
    for (const api::Requirement& each : selector.requirements()) {
      std::string text = each.key + " " + kOperators[static_cast<size_t>(each.op)];
      if (!each.values.empty()) text += " " + Join(each.values, ",");
      EXPECT_TRUE(texts.insert(text).second) << text << " came twice";
    }
    return texts;
  }

  Vocabulary words_;
  DefaultSelectors selectors_{words_};
};

PodBuilder Web() { return MakePod("p").Label("app", "web").Label("tier", "front"); }

TEST_F(DefaultSelectorsTest, IsTheUnionOfTheServicesThatSelectThePod) {
  EXPECT_TRUE(selectors_.Of(*Web().Info(words_)).IsEmpty());
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeService("b", {{"app", "web"}, {"tier", "front"}}));
  selectors_.Put(MakeService("c", {{"app", "web"}, {"tier", "back"}}));
  selectors_.Put(MakeService("d", {{"app", "other"}}));
  selectors_.Put(MakeService("none", {}));
  EXPECT_EQ(Of(Web()), (Texts{"app In web", "tier In front"}));
  EXPECT_EQ(Of(MakePod("p").Label("app", "web")), (Texts{"app In web"}));
  EXPECT_EQ(Of(MakePod("p").Label("app", "else")), Texts());
  EXPECT_EQ(Of(Web().Namespace("other")), Texts()) << "Services are in another namespace";
}

TEST_F(DefaultSelectorsTest, FollowsServiceUpdatesAndDeletions) {
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeService("a", {{"tier", "front"}}));
  EXPECT_EQ(Of(Web()), (Texts{"tier In front"}));
  selectors_.Put(MakeService("a", {}));
  EXPECT_EQ(Of(Web()), Texts());
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeService("b", {{"tier", "front"}}));
  selectors_.Remove(ObjectKind::kService, "uid-a");
  selectors_.Remove(ObjectKind::kService, "unknown");
  EXPECT_EQ(Of(Web()), (Texts{"tier In front"}));
  selectors_.Clear(ObjectKind::kService);
  EXPECT_EQ(Of(Web()), Texts());
}

TEST_F(DefaultSelectorsTest, FirstServiceIsTheFirstByName) {
  const auto first = [this](const PodBuilder& pod) {
    return selectors_.OfFirstService(*pod.Info(words_));
  };
  EXPECT_EQ(first(Web()), std::nullopt);
  selectors_.Put(MakeReplicaSet("owner", Labels({{"app", "web"}})));
  EXPECT_EQ(first(Web().ControlledBy("apps/v1", "ReplicaSet", "owner")), std::nullopt)
      << "the controller is not a Service";
  selectors_.Put(MakeService("b", {{"app", "web"}}));
  selectors_.Put(MakeService("c", {{"app", "web"}, {"tier", "front"}}));
  selectors_.Put(MakeService("a", {{"app", "else"}}));
  EXPECT_EQ(first(Web()), api::Selector::FromMap({{"app", "web"}}));
  EXPECT_EQ(first(Web().Namespace("other")), std::nullopt);
  selectors_.Put(MakeService("a", {{"tier", "front"}}));
  EXPECT_EQ(first(Web()), api::Selector::FromMap({{"tier", "front"}}));
  selectors_.Remove(ObjectKind::kService, "uid-a");
  selectors_.Remove(ObjectKind::kService, "uid-b");
  EXPECT_EQ(first(Web()), api::Selector::FromMap({{"app", "web"}, {"tier", "front"}}));
}

TEST_F(DefaultSelectorsTest, FindsEachServiceAmongManyWithASharedLabel) {
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    selectors_.Put(MakeService(number, {{"part-of", "shop"}, {"app", number}}));
  }
  EXPECT_EQ(Of(MakePod("p").Label("part-of", "shop").Label("app", "7")),
            (Texts{"app In 7", "part-of In shop"}));
  EXPECT_EQ(Of(MakePod("p").Label("part-of", "shop")), Texts());
}

TEST_F(DefaultSelectorsTest, MergesTheSelectorMapOfAReplicationController) {
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeReplicationController("r", {{"app", "web"}, {"run", "1"}}));
  EXPECT_EQ(Of(Web().ControlledBy("v1", "ReplicationController", "r")),
            (Texts{"app In web", "run In 1"}));
}

TEST_F(DefaultSelectorsTest, AddsRequirementsOfAReplicaSetOrStatefulSet) {
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  api::LabelSelector selector = Labels({{"app", "web"}, {"hash", "1"}});
  selector.match_expressions = {{.key = "tier", .op = "Exists", .values = {}}};
  selectors_.Put(MakeReplicaSet("r", selector));
  selectors_.Put(MakeStatefulSet("r", Labels({{"set", "s"}})));
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "ReplicaSet", "r")),
            (Texts{"app In web", "hash In 1", "tier Exists"}));
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "StatefulSet", "r")),
            (Texts{"app In web", "set In s"}));
}

TEST_F(DefaultSelectorsTest, RequiresBothValuesIfServiceAndOwnerDiffer) {
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeReplicaSet("r", Labels({{"app", "changed"}})));
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "ReplicaSet", "r")),
            (Texts{"app In web", "app In changed"}));
}

TEST_F(DefaultSelectorsTest, MatchesGroupAndVersionOfAnOwnerExactly) {
  selectors_.Put(MakeReplicaSet("r", Labels({{"app", "web"}})));
  selectors_.Put(MakeReplicationController("r", {{"app", "web"}}));
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "ReplicaSet", "r")).size(), 1u);
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1beta1", "ReplicaSet", "r")), Texts());
  EXPECT_EQ(Of(Web().ControlledBy("extensions/v1", "ReplicaSet", "r")), Texts());
  EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "ReplicationController", "r")), Texts());
  EXPECT_EQ(Of(Web().ControlledBy("batch/v1", "Job", "r")), Texts());
  PodBuilder not_controlled = Web().ControlledBy("apps/v1", "ReplicaSet", "r");
  not_controlled.raw().metadata.owner_references[0].controller = false;
  EXPECT_EQ(Of(not_controlled), Texts());
}

TEST_F(DefaultSelectorsTest, IgnoresAMissingOwnerOrInvalidSelector) {
  selectors_.Put(MakeService("a", {{"app", "web"}}));
  selectors_.Put(MakeReplicaSet("absent", std::nullopt));
  selectors_.Put(MakeReplicaSet(
      "unreadable", api::LabelSelector{{}, {{.key = "k", .op = "Near", .values = {}}}}));
  for (const std::string name : {"unknown", "absent", "unreadable"}) {
    EXPECT_EQ(Of(Web().ControlledBy("apps/v1", "ReplicaSet", name)), (Texts{"app In web"})) << name;
  }
  PodBuilder elsewhere = Web().Namespace("other").ControlledBy("apps/v1", "ReplicaSet", "absent");
  EXPECT_EQ(Of(elsewhere), Texts());
}

TEST_F(DefaultSelectorsTest, FollowsOwnerChangesAndReleasesTheirTexts) {
  const size_t texts = words_.size();
  const PodBuilder pod = Web().ControlledBy("apps/v1", "ReplicaSet", "r");
  selectors_.Put(MakeReplicaSet("r", Labels({{"app", "web"}})));
  selectors_.Put(MakeReplicaSet("r", Labels({{"tier", "front"}})));
  EXPECT_EQ(Of(pod), (Texts{"tier In front"}));
  api::ReplicaSet next = MakeReplicaSet("r", Labels({{"app", "web"}}));
  next.metadata.uid = "next";
  selectors_.Put(next);
  selectors_.Remove(ObjectKind::kReplicaSet, "uid-r");
  EXPECT_EQ(Of(pod), (Texts{"app In web"})) << "the deletion of the old object came late";
  selectors_.Remove(ObjectKind::kReplicaSet, "next");
  EXPECT_EQ(Of(pod), Texts());
  selectors_.Put(next);
  selectors_.Clear(ObjectKind::kReplicaSet);
  EXPECT_EQ(Of(pod), Texts());
  EXPECT_EQ(words_.size(), texts);
}

}  // namespace
}  // namespace berth::scheduler
