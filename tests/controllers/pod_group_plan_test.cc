// SPDX-License-Identifier: Apache-2.0
#include "controllers/pod_group_plan.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using std::chrono::hours;

api::PodGroup Group(int32_t min_member, const std::string& phase = "") {
  api::PodGroup group;
  group.metadata.namespace_ = "work";
  group.metadata.name = "workers";
  group.metadata.creation_timestamp = Time::FromUnixSeconds(1'000'000);
  group.spec.min_member = min_member;
  group.status.phase = phase;
  return group;
}

// Creates one pod for each letter: p(ending), r(unning), s(ucceeded), f(ailed).
GroupPods PodsOf(const std::string& letters) {
  GroupPods pods;
  for (const char letter : letters) {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata.namespace_ = "work";
    pod->metadata.name = "pod-" + std::to_string(pods.size());
    pod->metadata.owner_references = {{.api_version = "batch/v1", .kind = "Job", .name = "train"},
                                      {.api_version = "a/v1", .kind = "A", .name = "a"}};
    pod->status.phase = letter == 'r'   ? "Running"
                        : letter == 's' ? "Succeeded"
                        : letter == 'f' ? "Failed"
                                        : "Pending";
    pods.emplace(pod->metadata.name, pod);
  }
  return pods;
}

TEST(PodGroupPlan, PhaseFollowsThePods) {
  struct Case {
    std::string before;
    std::string pods;
    std::string after;
  };
  const std::vector<Case> cases = {
      {"", "", "Pending"},
      {"", "ppp", "Scheduling"},
      {"Pending", "pp", "Pending"},
      {"Pending", "rr", "Pending"},
      {"Pending", "ppp", "Scheduling"},
      {"Pending", "pppp", "Scheduling"},
      {"Scheduling", "rrp", "Scheduling"},
      {"Scheduling", "rrr", "Running"},
      {"Scheduling", "rrs", "Running"},
      {"Scheduling", "pp", "Pending"},
      {"Scheduling", "fpp", "Scheduling"},
      {"Scheduling", "frr", "Failed"},
      {"Scheduling", "ffpp", "Scheduling"},
      {"Running", "rrrp", "Running"},
      {"Running", "rrp", "Scheduling"},
      {"Running", "rr", "Pending"},
      {"Running", "rrrf", "Failed"},
      {"Running", "rss", "Running"},
      {"Running", "sss", "Finished"},
      {"Running", "sssf", "Finished"},
      {"Running", "sssrr", "Finished"},
      {"Finished", "", "Finished"},
      {"Finished", "fff", "Finished"},
      {"Failed", "rrr", "Failed"},
      {"Failed", "sss", "Failed"},
  };
  for (const Case& each : cases) {
    api::PodGroup group = Group(3, each.before);
    const GroupPods pods = PodsOf(each.pods);
    const api::PodGroupStatus status = StatusOf(group, pods);
    EXPECT_EQ(status.phase, each.after) << each.before << " with " << each.pods;
    group.status = status;
    EXPECT_EQ(StatusOf(group, pods), status) << "no further write";
  }
}

TEST(PodGroupPlan, CountsPodsUntilAFinalPhase) {
  api::PodGroup group = Group(2);
  group.status = StatusOf(group, PodsOf("prrsf"));
  EXPECT_EQ(group.status.running, 2);
  EXPECT_EQ(group.status.succeeded, 1);
  EXPECT_EQ(group.status.failed, 1);
  EXPECT_EQ(group.status.phase, kPodGroupFailed);
  EXPECT_EQ(StatusOf(group, {}).running, 2) << "the counts of an ended group are final";
}

TEST(PodGroupPlan, TreatsMinMemberBelowOneAsOne) {
  EXPECT_EQ(StatusOf(Group(0), {}).phase, kPodGroupPending);
  EXPECT_EQ(StatusOf(Group(-1), PodsOf("s")).phase, kPodGroupFinished);
}

TEST(PodGroupPlan, SetsOccupiedByWhenPodsExist) {
  api::PodGroup group = Group(2);
  EXPECT_EQ(StatusOf(group, PodsOf("p")).occupied_by, "");
  group.status = StatusOf(group, PodsOf("pp"));
  EXPECT_EQ(group.status.occupied_by, "work/a,work/train");
  EXPECT_EQ(StatusOf(group, {}).occupied_by, "work/a,work/train") << "also when they are gone";
  GroupPods orphans = PodsOf("pp");
  for (auto& [name, pod] : orphans) {
    auto orphan = std::make_shared<api::Pod>(*pod);
    orphan->metadata.owner_references.clear();
    pod = orphan;
  }
  EXPECT_EQ(StatusOf(group, orphans).occupied_by, "work/a,work/train") << "it is already occupied";
  group.status.phase = kPodGroupPending;
  EXPECT_EQ(StatusOf(group, orphans).occupied_by, "");
}

TEST(PodGroupPlan, IsOverdueAfterTwoDaysWithoutRunningPod) {
  api::PodGroup group = Group(2, "Scheduling");
  const Time created = group.metadata.creation_timestamp;
  EXPECT_EQ(OverdueIn(group, group.status, created + hours(1)), hours(47));
  EXPECT_EQ(OverdueIn(group, group.status, created + hours(48)), hours(0));
  group.status.running = 1;
  EXPECT_EQ(OverdueIn(group, group.status, created + hours(48)), std::nullopt);
  group.status.running = 0;
  for (const std::string_view ended : {kPodGroupFailed, kPodGroupFinished, kPodGroupRunning}) {
    group.status.phase = ended;
    EXPECT_EQ(OverdueIn(group, group.status, created + hours(48)), std::nullopt) << ended;
  }
}

}  // namespace
}  // namespace berth::controllers
