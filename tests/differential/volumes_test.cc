// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/volumes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const Defaults kDefaults{"volumes-one", "default-scheduler"};

Operation Only(Result<std::vector<Operation>> operations) {
  EXPECT_TRUE(operations) << operations.error().message();
  EXPECT_THAT(*operations, SizeIs(1));
  return std::move(operations->at(0));
}

TEST(Volumes, ExpandsALocalVolume) {
  const Operation made = Only(CreateVolumes(
      Json::parse(R"({"name": "pv1", "size": "5Gi", "class": "local", "node": "n1"})"), kDefaults));
  EXPECT_EQ(made.target, (ObjectName{"persistentvolume", "", "pv1"}));
  EXPECT_EQ(made.status, Json({{"phase", "Available"}}));
  EXPECT_EQ(made.body["spec"], Json::parse(R"({
    "storageClassName": "local", "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "5Gi"},
    "local": {"path": "/volume"},
    "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
      {"key": "kubernetes.io/hostname", "operator": "In", "values": ["n1"]}]}]}}})"));
}

TEST(Volumes, SetsClaimRefAndOtherSpecFields) {
  const Operation made =
      Only(CreateVolumes(Json::parse(R"({"name": "pv1", "claim": "data", "volumeMode": "Block",
                      "source": {"csi": {"driver": "d", "volumeHandle": "h"}}})"),
                         kDefaults));
  const Json& spec = made.body["spec"];
  EXPECT_EQ(spec["claimRef"]["namespace"], "volumes-one");
  EXPECT_EQ(spec["claimRef"]["name"], "data");
  EXPECT_EQ(spec["volumeMode"], "Block");
  EXPECT_EQ(spec["csi"]["driver"], "d");
  EXPECT_FALSE(spec.contains("hostPath"));
}

TEST(Volumes, WritesABoundClaimLikeTheController) {
  const Operation bound =
      Only(CreateClaims(Json::parse(R"({"name": "data", "volume": "pv1"})"), kDefaults));
  EXPECT_EQ(bound.target, (ObjectName{"persistentvolumeclaim", "volumes-one", "data"}));
  EXPECT_EQ(bound.body["spec"]["volumeName"], "pv1");
  EXPECT_EQ(bound.body["metadata"]["annotations"]["pv.kubernetes.io/bind-completed"], "yes");
  EXPECT_EQ(bound.status, Json({{"phase", "Bound"}}));
  const Operation waits = Only(CreateClaims(
      Json::parse(R"({"name": "data", "namespace": "red", "size": "2Gi"})"), kDefaults));
  EXPECT_EQ(waits.target.ns, "red");
  EXPECT_EQ(waits.body["spec"]["resources"]["requests"]["storage"], "2Gi");
  EXPECT_FALSE(waits.body["metadata"].contains("annotations"));
  EXPECT_TRUE(waits.status.is_null());
}

TEST(Volumes, ExpandsACountAndRequiresAName) {
  const auto two = CreateVolumes(
      Json::parse(R"json({"name": "pv", "count": 2, "node": "n-$(i)"})json"), kDefaults);
  ASSERT_TRUE(two);
  ASSERT_THAT(*two, SizeIs(2));
  EXPECT_EQ(two->at(1).target.name, "pv-1");
  EXPECT_THAT(two->at(1).body.dump(), HasSubstr("\"n-1\""));
  const auto nameless = CreateClaims(Json::parse(R"({"size": "1Gi"})"), kDefaults);
  ASSERT_FALSE(nameless);
  EXPECT_THAT(nameless.error().message(), HasSubstr("name: is missing"));
}

}  // namespace
}  // namespace berth::differential
