// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/volumes_seen.h"

#include <gtest/gtest.h>

namespace berth::differential {
namespace {

const Json kClaims = Json::parse(R"([
  {"metadata": {"name": "data", "namespace": "one", "uid": "u1",
                "annotations": {"volume.kubernetes.io/selected-node": "n1"}}, "spec": {}},
  {"metadata": {"name": "data", "namespace": "red", "uid": "u2",
                "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
   "spec": {"volumeName": "pv1"}}])");

Json VolumeOf(const char* uid) {
  return Json::parse(R"([{"metadata": {"name": "pv1", "annotations":
                                       {"pv.kubernetes.io/bound-by-controller": "yes"}},
    "spec": {"claimRef": {"kind": "PersistentVolumeClaim", "namespace": "red", "name": "data",
                          "uid": ")" +
                     std::string(uid) + R"(", "resourceVersion": "17"}}}])");
}

TEST(VolumesSeen, ReportsTheAnnotationsOfClaims) {
  EXPECT_EQ(ClaimsSeen(kClaims, "one"), Json::parse(R"({
    "data": {"selectedNode": "n1"}, "red/data": {"volumeName": "pv1", "bound": true}})"));
}

TEST(VolumesSeen, ReportsClaimRefsWithoutClusterSpecificValues) {
  const Json seen = VolumesSeen(VolumeOf("u2"), kClaims, "one");
  EXPECT_EQ(seen, Json::parse(R"({"pv1": {"boundByController": "yes", "claim": "red/data",
    "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "red", "name": "data",
                 "uid": "of the claim", "resourceVersion": "given"}}})"));
  EXPECT_EQ(VolumeFor(seen, "red/data"), "pv1");
  EXPECT_EQ(VolumeFor(seen, "data"), "");
}

TEST(VolumesSeen, DistinguishesARecreatedClaim) {
  const Json seen = VolumesSeen(VolumeOf("u3"), kClaims, "red");
  EXPECT_EQ(seen["pv1"]["claimRef"]["uid"], "of another");
  EXPECT_EQ(seen["pv1"]["claim"], "data");
}

}  // namespace
}  // namespace berth::differential
