// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/native_pod_group.h"
#include "tests/engine/api_port_fixture.h"

namespace berth::engine {
namespace {

class GroupConditionTest : public ApiPortTest {
 protected:
  void PatchGroup(const std::string& message,
                  std::string_view type = "PodGroupInitiallyScheduled") {
    api::Condition condition;
    condition.type = type;
    condition.status = "False";
    condition.reason = "Unschedulable";
    condition.message = message;
    port_.PatchGroupCondition(
        group_, condition, [this](Result<void> result) { outcomes_.push_back(std::move(result)); });
  }
  // Answers all requests; returns those about PodGroups, in order.
  std::vector<ApiRequest> AnswerAllOfGroups() {
    std::vector<ApiRequest> of_groups;
    while (server_.pending() > 0) {
      ApiRequest request = Answer("{}");
      if (request.target.find("/podgroups/") != std::string::npos) of_groups.push_back(request);
    }
    return of_groups;
  }

  api::ObjectReference group_{.api_version = "scheduling.k8s.io/v1beta1",
                              .kind = "PodGroup",
                              .namespace_ = "default",
                              .name = "g",
                              .uid = "ug",
                              .resource_version = "7",
                              .field_path = {}};
};

TEST_F(GroupConditionTest, PatchesTheStatusWithTheUidAndOneCondition) {
  PatchGroup("no room");
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "PATCH");
  EXPECT_EQ(request.target,
            "/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups/g/status");
  EXPECT_EQ(request.content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(request.body,
            R"({"metadata":{"uid":"ug"},"status":{"conditions":[{"message":"no room",)"
            R"("reason":"Unschedulable","status":"False","type":"PodGroupInitiallyScheduled"}]}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0]);
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(GroupConditionTest, ReferenceWithoutVersionMeansTheNewestVersion) {
  group_.api_version.clear();
  PatchGroup("no room");
  EXPECT_NE(Answer("{}").target.find("/v1beta1/"), std::string::npos);
}

TEST_F(GroupConditionTest, UsesTheOldNameOfTheConditionInTheOldVersion) {
  group_.api_version = "scheduling.k8s.io/v1alpha2";
  PatchGroup("no room");
  const ApiRequest request = Answer("{}");
  EXPECT_NE(request.target.find("/scheduling.k8s.io/v1alpha2/"), std::string::npos);
  EXPECT_NE(request.body.find(R"("type":"PodGroupScheduled")"), std::string::npos);
}

TEST_F(GroupConditionTest, KeepsOtherConditionsInTheOldVersion) {
  group_.api_version = "scheduling.k8s.io/v1alpha2";
  PatchGroup("preempted", "DisruptionTarget");
  EXPECT_NE(Answer("{}").body.find(R"("type":"DisruptionTarget")"), std::string::npos);
}

TEST_F(GroupConditionTest, NewConditionReplacesTheQueuedOneOfItsType) {
  FillUp();
  PatchGroup("first");
  PatchGroup("second");
  const std::vector<ApiRequest> sent = AnswerAllOfGroups();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_NE(sent[0].body.find("second"), std::string::npos);
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(GroupConditionTest, KeepsTheQueuedConditionOfAnotherType) {
  FillUp();
  PatchGroup("no room");
  PatchGroup("preempted", "DisruptionTarget");
  EXPECT_EQ(AnswerAllOfGroups().size(), 2u);
}

TEST_F(GroupConditionTest, RetriesAConflictUpToThreeTimes) {
  PatchGroup("no room");
  for (int i = 0; i < 3; ++i) {
    Answer(Fail(Reason::kConflict, "changed"));
    EXPECT_TRUE(outcomes_.empty());
    FireTimer();
  }
  Answer(Lost());
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kUnavailable));
}

TEST_F(GroupConditionTest, DoesNotRetryADeletedPodGroup) {
  PatchGroup("no room");
  Answer(Fail(Reason::kNotFound, "gone"));
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].error().Is(Reason::kNotFound));
  EXPECT_TRUE(timer_.delays().empty());
}

}  // namespace
}  // namespace berth::engine
