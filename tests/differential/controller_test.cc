// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Json Claim(const std::string& name, const std::string& of_class) {
  return {{"metadata", {{"name", name}, {"namespace", "one"}, {"uid", "uid-" + name}}},
          {"spec",
           {{"storageClassName", of_class},
            {"accessModes", {"ReadWriteOnce"}},
            {"resources", {{"requests", {{"storage", "2Gi"}}}}}}}};
}

Json Selected(Json claim, const std::string& node) {
  claim["metadata"]["annotations"]["volume.kubernetes.io/selected-node"] = node;
  return claim;
}

const Json kClasses = Json::parse(R"([
  {"metadata": {"name": "late"}, "provisioner": "d", "volumeBindingMode": "WaitForFirstConsumer"},
  {"metadata": {"name": "now"}, "provisioner": "d", "volumeBindingMode": "Immediate"},
  {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/no-provisioner",
   "volumeBindingMode": "WaitForFirstConsumer"}])");

TEST(Provision, CreatesAVolumeForTheSelectedNode) {
  const auto made = Provision(Json::array({Selected(Claim("data", "late"), "n1")}), kClasses);
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(made[0].target.name, "pvc-data");
  const Json& spec = made[0].body["spec"];
  EXPECT_EQ(spec["claimRef"]["uid"], "uid-data");
  EXPECT_EQ(spec["capacity"]["storage"], "2Gi");
  EXPECT_EQ(spec["csi"]["driver"], "d");
  EXPECT_EQ(
      spec["nodeAffinity"]["required"]["nodeSelectorTerms"][0]["matchExpressions"][0]["values"],
      Json::array({"n1"}));
}

TEST(Provision, SkipsClaimsWithoutNodeOrProvisioner) {
  Json has_one = Claim("has", "now");
  has_one["spec"]["volumeName"] = "pv1";
  const Json none = Json::array(
      {Claim("waits", "late"), Selected(Claim("local", "local"), "n1"), Claim("x", "?"), has_one});
  EXPECT_THAT(Provision(none, kClasses), IsEmpty());
  const auto now = Provision(Json::array({Claim("data", "now")}), kClasses);
  ASSERT_THAT(now, SizeIs(1));
  EXPECT_FALSE(now[0].body["spec"].contains("nodeAffinity"));
}

TEST(Bind, CompletesReferencesInOneDirection) {
  const Json volume = {{"metadata", {{"name", "pv1"}}},
                       {"spec", {{"claimRef", {{"namespace", "one"}, {"name", "data"}}}}}};
  const auto by_volume = Bind(Json::array({Claim("data", "late")}), Json::array({volume}));
  ASSERT_THAT(by_volume, SizeIs(4));
  EXPECT_EQ(by_volume[0].body["spec"]["claimRef"]["uid"], "uid-data");
  EXPECT_EQ(by_volume[2].body["spec"]["volumeName"], "pv1");
  EXPECT_TRUE(by_volume[2].body["metadata"]["annotations"].contains(
      "pv.kubernetes.io/bound-by-controller"));

  Json claim = Claim("data", "late");
  claim["spec"]["volumeName"] = "pv2";
  const Json other = {{"metadata", {{"name", "pv2"}}}, {"spec", Json::object()}};
  const auto by_claim = Bind(Json::array({claim}), Json::array({other}));
  ASSERT_THAT(by_claim, SizeIs(4));
  EXPECT_FALSE(
      by_claim[2].body["metadata"]["annotations"].contains("pv.kubernetes.io/bound-by-controller"));
}

TEST(Bind, SkipsBoundAndUnreferencedObjects) {
  Json bound = Claim("data", "late");
  bound["metadata"]["annotations"]["pv.kubernetes.io/bind-completed"] = "yes";
  const Json free = {{"metadata", {{"name", "pv1"}}}, {"spec", Json::object()}};
  EXPECT_THAT(Bind(Json::array({bound, Claim("waits", "late")}), Json::array({free})), IsEmpty());
}

TEST(ClaimEphemeral, CreatesClaimsOwnedByTheirPod) {
  const Json pod = Json::parse(R"({"metadata": {"name": "web", "namespace": "one", "uid": "u"},
    "spec": {"volumes": [{"name": "tmp", "emptyDir": {}}, {"name": "data", "ephemeral":
      {"volumeClaimTemplate": {"spec": {"storageClassName": "late"}}}}]}})");
  const auto made = ClaimEphemeral(Json::array({pod}), Json::array());
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(made[0].target, (ObjectName{"persistentvolumeclaim", "one", "web-data"}));
  EXPECT_EQ(made[0].body["metadata"]["ownerReferences"][0]["uid"], "u");
  EXPECT_EQ(made[0].body["spec"]["storageClassName"], "late");
  EXPECT_THAT(ClaimEphemeral(Json::array({pod}), Json::array({Claim("web-data", "late")})),
              IsEmpty());
}

}  // namespace
}  // namespace berth::differential
