// SPDX-License-Identifier: Apache-2.0
// What a profile's status says while the Deployment controller rolls a change out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "controllers/reconciler.h"
#include "controllers/render.h"
#include "sandbox/simulation/simulation.h"
#include "tests/controllers/cluster_on_server.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/profiles.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using http::Eventually;
using testing::HasSubstr;

constexpr std::chrono::seconds kLimit(30);

// Every status that is written here is judged, see ClusterOnServer::PatchStatus. The kubelet's and
// the scheduler's parts are played by the test.
class RolloutTest : public testing::Test {
 protected:
  RolloutTest() { simulation_.Start(); }

  void Put(const std::string& spec_yaml) {
    cluster_.PutProfile(MakeProfile("a", spec_yaml));
    const Plan plan = PlanAlone(cluster_.ProfileNow("a"));
    api::Lease lease;
    lease.spec.holder_identity = "pod-1";
    lease.spec.lease_duration_seconds = 15;
    lease.metadata.annotations["berth.dev/applied-config-hash"] = plan.config_hash;
    cluster_.SetLease(lease);
  }

  std::string ReconcileOnce() {
    reconciler_.Reconcile("a");
    return KstatusOf(cluster_.ProfileNow("a"));
  }

  bool Settles() {
    return Eventually(
        [this] {
          cluster_.MarkPodsReady();
          memory_.Heard({&api::Deployment::kResource, "berth-system", "berth-a"});
          return ReconcileOnce() == "Current";
        },
        kLimit);
  }

  std::string MessageOf(const std::string& type) {
    const api::Condition* condition =
        api::FindCondition(cluster_.ProfileNow("a").status.conditions, type);
    return condition ? condition->status + "/" + condition->reason + ": " + condition->message : "";
  }

  ClusterOnServer cluster_;
  simulation::Simulation simulation_{cluster_.client(), cluster_.clock(), {}};
  WriteMemory memory_;
  Reconciler reconciler_{cluster_,           cluster_,      memory_,
                         ShippedCatalogue(), TestOptions(), cluster_.clock()};
};

TEST_F(RolloutTest, AChangeOfThePodsIsUnderWayFromTheStatusThatNamesItsGeneration) {
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

TEST_F(RolloutTest, ASuspendedProfileIsCurrentOnceItsLastPodIsGone) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  Put("{suspend: true}");
  EXPECT_EQ(ReconcileOnce(), "InProgress");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_EQ(MessageOf("Ready"), "") << "it is neither ready nor on its way";
  EXPECT_THAT(MessageOf("Suspended"), HasSubstr("True/Suspended"));
  Put("");
  EXPECT_EQ(ReconcileOnce(), "InProgress");
  EXPECT_TRUE(Settles()) << MessageOf("Ready");
}

TEST_F(RolloutTest, APodThatIsLostTakesReadyBackOnlyWithTheLastOne) {
  Put("{deployment: {replicas: 2}}");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  cluster_.MarkPodUnready();
  ASSERT_TRUE(Eventually([this] { return ReconcileOnce() == "InProgress"; }, kLimit));
  EXPECT_THAT(MessageOf("Ready"), HasSubstr("True/Ready"));
  EXPECT_THAT(MessageOf("Reconciling"), HasSubstr("1 of 2 scheduler pods are ready"));
}

}  // namespace
}  // namespace berth::controllers
