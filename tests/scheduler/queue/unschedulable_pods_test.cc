// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/unschedulable_pods.h"

#include <deque>
#include <initializer_list>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/scheduler/scripted.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakePod;
using testing::RecordingApi;
using testing::Script;
using testing::TestProfile;
using ::testing::UnorderedElementsAre;

class UnschedulablePodsTest : public ::testing::Test {
 protected:
  using Names = std::initializer_list<std::string_view>;
  static constexpr ClusterEvent kNodeAdd{Resource::kNode, action::kAdd, {}};
  static constexpr ClusterEvent kPodDelete{Resource::kAssignedPod, action::kDelete, {}};
  static constexpr ClusterEvent kEverything{Resource::kWildcard, action::kAll, {}};

  QueueItem& Add(const std::string& name, Names rejected_by) {
    QueueItem& item = items_.emplace_back();
    item.queued.pod = MakePod(name).Info(words_);
    item.queued.profile = profile_;
    item.sequence = items_.size();
    for (const std::string_view each : rejected_by) {
      item.queued.unschedulable_plugins.Add(profile_->IndexOf(each).value());
    }
    pods_.Add(item);
    return item;
  }
  void AddGated(const std::string& name, std::string_view by, Names rejected_by) {
    QueueItem& item = Add(name, rejected_by);
    pods_.Remove(item);
    item.queued.gating_plugin = profile_->IndexOf(by);
    pods_.Add(item);
  }
  static std::vector<std::string> NamesOf(const std::vector<QueueItem*>& items) {
    std::vector<std::string> names;
    for (const QueueItem* item : items) names.push_back(item->queued.pod->name());
    return names;
  }
  // Lists the pods of each call; pods of one equivalence class as "a+b".
  std::vector<std::string> AskedAbout(const ClusterEvent& event) const {
    std::vector<std::string> kinds;
    pods_.ForEachCandidate(event, [&](const auto& pods) {
      std::string& kind = kinds.emplace_back();
      for (const auto& [sequence, item] : pods) {
        kind += (kind.empty() ? "" : "+") + item->queued.pod->name();
      }
    });
    return kinds;
  }

  Vocabulary words_;
  FakeClock clock_;
  RecordingApi api_;
  Script nodes_{.name = "Nodes", .events = {{Resource::kNode, action::kAdd, "room"}}};
  Script pods_script_{.name = "Pods", .events = {{Resource::kPod, action::kDelete, "room"}}};
  std::shared_ptr<const Profile> profile_ =
      TestProfile({clock_, api_, words_}, "test", {&nodes_, &pods_script_});
  std::deque<QueueItem> items_;
  UnschedulablePods pods_;
};

TEST_F(UnschedulablePodsTest, VisitsOnlyPodsWithPluginsRegisteredForTheEvent) {
  Add("node", {"Nodes"});
  Add("pod", {"Pods"});
  EXPECT_THAT(AskedAbout(kNodeAdd), ElementsAre("node"));
  EXPECT_THAT(AskedAbout(kPodDelete), ElementsAre("pod"));
  EXPECT_THAT(AskedAbout({Resource::kNode, action::kDelete, {}}), IsEmpty());
}

TEST_F(UnschedulablePodsTest, AllListsPodsInOrderOfArrival) {
  Add("a", {"Pods", "Nodes"});
  Add("b", {"Nodes"});
  Add("c", {"Pods"});
  Add("d", {"Pods", "Nodes"});
  Add("e", {"Nodes"});
  EXPECT_THAT(AskedAbout(kNodeAdd), UnorderedElementsAre("a", "b", "d", "e"));
  EXPECT_THAT(NamesOf(pods_.All()), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(UnschedulablePodsTest, PodsWithEqualHintKeysAreVisitedTogether) {
  // The hint reads the first letter of the name.
  nodes_.hint_key = [](const PendingPod& pod) { return ResultKey::Of(pod.name().substr(0, 1)); };
  Add("a1", {"Nodes"});
  QueueItem& first = Add("b1", {"Nodes"});
  Add("a2", {"Nodes"});
  Add("b2", {"Nodes"});
  Add("a3", {"Nodes", "Pods"});  // Pods has no hint key
  Add("a4", {"Nodes", "Pods"});
  EXPECT_THAT(AskedAbout(kNodeAdd), UnorderedElementsAre("a1+a2", "b1+b2", "a3", "a4"));
  pods_.Remove(first);
  EXPECT_THAT(AskedAbout(kNodeAdd), UnorderedElementsAre("a1+a2", "b2", "a3", "a4"));
}

TEST_F(UnschedulablePodsTest, AnyEventMayHelpAPodWithoutRejectingPlugins) {
  Add("error", {});
  EXPECT_THAT(AskedAbout(kNodeAdd), ElementsAre("error"));
  EXPECT_THAT(AskedAbout({Resource::kNode, action::kDelete, {}}), ElementsAre("error"));
}

TEST_F(UnschedulablePodsTest, WildcardEventVisitsAllPods) {
  Add("node", {"Nodes"});
  AddGated("gated", "Nodes", {"Nodes"});
  Add("pod", {"Pods"});
  EXPECT_THAT(AskedAbout(kEverything), UnorderedElementsAre("node", "gated", "pod"));
}

TEST_F(UnschedulablePodsTest, GatedPodIsVisitedOnlyForEventsOfItsGatingPlugin) {
  AddGated("gated", "Pods", {"Pods", "Nodes"});
  EXPECT_THAT(AskedAbout(kNodeAdd), IsEmpty());
  EXPECT_THAT(AskedAbout(kPodDelete), ElementsAre("gated"));
}

TEST_F(UnschedulablePodsTest, CountsGatedPodsInTheTotal) {
  QueueItem& waiting = Add("waiting", {"Nodes"});
  AddGated("gated", "Pods", {"Pods"});
  EXPECT_EQ(pods_.size(), 2u);
  EXPECT_EQ(pods_.gated(), 1u);
  pods_.Remove(waiting);
  EXPECT_EQ(pods_.size(), 1u);
  EXPECT_THAT(NamesOf(pods_.All()), ElementsAre("gated"));
}

}  // namespace
}  // namespace berth::scheduler
