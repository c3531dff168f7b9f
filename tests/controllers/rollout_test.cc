// SPDX-License-Identifier: Apache-2.0
// Tests the status of a profile while the Deployment controller rolls out a change.
#include <gmock/gmock.h>

#include "tests/controllers/rollout_fixture.h"

namespace berth::controllers {
namespace {

using http::Eventually;
using testing::HasSubstr;

TEST_F(RolloutTest, PodChangeIsInProgressFromItsFirstStatus) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const std::pair<const char*, const char*> kChanges[] = {
      {"image", "{engine: {image: 'example.com/berth:other'}}"},
      {"env", "{deployment: {env: [{name: A, value: b}]}}"},
      {"resources", "{deployment: {resources: {requests: {cpu: 70m}}}}"},
      {"affinity",
       "{deployment: {affinity: {nodeAffinity: "
       "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
       "[{matchExpressions: [{key: disk, operator: Exists}]}]}}}}}"},
      {"labels", "{deployment: {podLabels: {team: x}}}"},
      {"logging", "{logging: {verbosity: 5}}"},
      {"leader election", "{leaderElection: {leaseDuration: 60s, renewDeadline: 40s}}"},
      {"replicas", "{deployment: {replicas: 2}}"},
      {"nothing any more", ""},
  };
  for (const auto& [what, spec] : kChanges) {
    Put(spec);
    EXPECT_EQ(ReconcileOnce(), "InProgress") << what;
    EXPECT_THAT(MessageOf("Ready"), HasSubstr("False/RollingOut")) << what;
    ASSERT_TRUE(Settles()) << what << ": " << MessageOf("Ready");
    EXPECT_THAT(MessageOf("Ready"), HasSubstr("True/Ready")) << what;
  }
}

TEST_F(RolloutTest, SuspendedProfileIsCurrentAfterItsLastPod) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  Put("{suspend: true}");
  EXPECT_EQ(ReconcileOnce(), "InProgress");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_EQ(MessageOf("Ready"), "") << "it is neither ready nor reconciling";
  EXPECT_THAT(MessageOf("Suspended"), HasSubstr("True/Suspended"));
  Put("");
  EXPECT_EQ(ReconcileOnce(), "InProgress");
  EXPECT_TRUE(Settles()) << MessageOf("Ready");
}

TEST_F(RolloutTest, LosingOneOfTwoPodsKeepsReady) {
  Put("{deployment: {replicas: 2}}");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  cluster_.MarkPodUnready();
  ASSERT_TRUE(Eventually([this] { return ReconcileOnce() == "InProgress"; }, kLimit));
  EXPECT_THAT(MessageOf("Ready"), HasSubstr("True/Ready"));
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("1 of 2 scheduler pods are ready"));
}

}  // namespace
}  // namespace berth::controllers
