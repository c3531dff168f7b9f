// SPDX-License-Identifier: Apache-2.0
// Changes of a gang while its members wait: they are retried at once and get the reason that holds.
#include "tests/scheduler/gang_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using testing::GangTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// GangChangeTest has a gang that needs three pods; two wait.
class GangChangeTest : public GangTest {
 protected:
  void SetUp() override {
    AddNodes(2);
    PutGroup("g", 3);
    AddMembers("g", 2);
    Run();
    ASSERT_THAT(Bound(), IsEmpty());
    Pass(seconds(11));
    Run();
  }
  // Returns the last message in the condition of a pod.
  std::string MessageOf(const std::string& name) const {
    std::string message;
    for (const auto& call : api_.patches) {
      if (call.pod.name == name && call.patch.condition) message = call.patch.condition->message;
    }
    return message;
  }
};

TEST_F(GangChangeTest, MemberCreatedOnANodeCompletesTheGang) {
  scheduler_.On(api::Added(Member("g", 2).OnNode("n0").Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(GangChangeTest, PodThatGetsTheLabelOnItsNodeCompletesTheGang) {
  PodBuilder pod = Pod("single").OnNode("n0");
  pod.raw().metadata.resource_version = "1";
  scheduler_.On(api::Added(pod.Build()));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  PodBuilder labelled = PodBuilder(pod).Label(std::string(api::kPodGroupLabel), "g");
  labelled.raw().metadata.resource_version = "2";
  scheduler_.On(api::Modified(pod.Build(), labelled.Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(GangChangeTest, MemberBoundByAnotherSchedulerCompletesTheGang) {
  PodBuilder pod = Member("g", 2).Scheduler("elsewhere");
  scheduler_.On(api::Added(pod.Build()));
  Pass(seconds(11));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  Pass(seconds(11));
  scheduler_.On(api::Modified(pod.Build(), PodBuilder(pod).OnNode("n0").Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(GangChangeTest, MemberOfAnotherSchedulerIsReportedWhenItComes) {
  scheduler_.On(api::Added(Member("g", 2).Scheduler("elsewhere").Build()));
  Run();
  EXPECT_THAT(MessageOf("g-0") + MessageOf("g-1"), HasSubstr("the same .spec.schedulerName"));
}

TEST_F(GangChangeTest, AllMembersReportADeletedPodGroup) {
  api::PodGroup group;
  group.metadata.uid = "group-g";
  scheduler_.On(api::Deleted(std::make_shared<const api::PodGroup>(group)));
  Run();
  EXPECT_THAT(MessageOf("g-0"), HasSubstr("PodGroup default/g not found"));
  EXPECT_THAT(MessageOf("g-1"), HasSubstr("PodGroup default/g not found"));
}

TEST_F(GangChangeTest, AllMembersReportARaisedMinMember) {
  PutGroup("g", 7);
  Run();
  EXPECT_THAT(MessageOf("g-0"), HasSubstr("minMember of group: 7"));
  EXPECT_THAT(MessageOf("g-1"), HasSubstr("minMember of group: 7"));
}

}  // namespace
}  // namespace berth::scheduler
