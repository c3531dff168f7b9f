// SPDX-License-Identifier: Apache-2.0
// Upgrade from an older version, with running profiles.
#include <cstdlib>

#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_stream.h"

namespace berth::e2e {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Upgrade : public ClusterTest {
 protected:
  void SetUp() override {
    const char* const from = std::getenv("BERTH_E2E_UPGRADE_FROM");
    ASSERT_NE(from, nullptr) << "the folder of a kustomization that installs the older version";
    cluster_.Kubectl({"apply", "-k", from});
    ASSERT_TRUE(OperatorRuns());
    ClusterTest::SetUp();
  }

  void TearDown() override {
    ClusterTest::TearDown();
    ExpectProfilesEnd();
    cluster_.Kubectl({"delete", "-f", "deploy/install.yaml"});
    ExpectNothingLeft();
  }

  std::string ImageOf(const std::string& profile) {
    const std::vector<Json> pods = SchedulerPods(profile);
    return pods.size() == 1 ? TextAt(pods.front(), "/spec/containers/0/image") : "";
  }
};

TEST_F(Upgrade, KeepsProfilesAndUpgradesTheirSchedulers) {
  CreateProfile("kept", {{"pluginConfig",
                          {{{"name", "NodeResourcesFit"},
                            {"args", {{"scoringStrategy", {{"type", "MostAllocated"}}}}}}}}});
  ASSERT_TRUE(EventuallyReady("kept"));
  const Json spec = At(cluster_.Get("sprof", "kept"), "/spec");
  EXPECT_EQ(ImageOf("kept"), "berth:upgraded-from");
  PodStream stream(cluster_, ns_, "kept", milliseconds(250));

  cluster_.Kubectl({"apply", "-f", "deploy/install.yaml"});
  EXPECT_TRUE(Eventually("the new image", seconds(120), [&]() -> std::string {
    const std::string image = ImageOf("kept");
    return image == "berth:" BERTH_VERSION ? "" : image;
  }));
  EXPECT_TRUE(OperatorRuns());
  EXPECT_TRUE(EventuallyReady("kept"));
  EXPECT_EQ(At(cluster_.Get("sprof", "kept"), "/spec"), spec);
  ExpectEverythingRuns(stream);
}

}  // namespace
}  // namespace berth::e2e
