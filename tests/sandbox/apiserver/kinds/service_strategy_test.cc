// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Services : public testing::Test {
 protected:
  json Made(const char* spec) {
    json service = {{"metadata", {{"name", "a"}, {"uid", "u"}}}, {"spec", json::parse(spec)}};
    PrepareCreate(*kind_, service, Time());
    return service["spec"];
  }
  json Changed(const json& old, const char* patch) {
    const json before = {{"metadata", {{"name", "a"}, {"uid", "u"}}}, {"spec", old}};
    json service = before;
    service["spec"].merge_patch(json::parse(patch));
    PrepareUpdate(*kind_, "", service, before);
    return service["spec"];
  }

  const KindRegistry kinds_;
  const KindPtr kind_ = kinds_.Find("", "v1", "services");
};

TEST_F(Services, HaveAnAddressUnlessTheyAreNames) {
  const json plain = Made(R"({"type": "ClusterIP"})");
  EXPECT_EQ(plain["clusterIPs"], json::array({plain["clusterIP"]}));
  EXPECT_EQ(plain["ipFamilies"], json::array({"IPv4"}));
  EXPECT_EQ(plain["ipFamilyPolicy"], "SingleStack");
  EXPECT_EQ(Made(R"({"type": "ClusterIP"})"), plain);
  EXPECT_FALSE(Made(R"({"type": "ExternalName", "externalName": "x"})").contains("clusterIP"));
}

TEST_F(Services, WithoutPodsOfTheirOwnHaveEveryFamily) {
  EXPECT_EQ(Made(R"({"type": "ClusterIP", "clusterIP": "None"})")["ipFamilies"],
            (json{"IPv4", "IPv6"}));
  EXPECT_EQ(
      Made(R"({"type": "ClusterIP", "clusterIP": "None", "selector": {"a": "b"}})")["ipFamilies"],
      json::array({"IPv4"}));
}

TEST_F(Services, OfNodesHavePortsOfNodes) {
  const json spec = Made(R"({"type": "NodePort", "ports": [{"port": 1}, {"port": 2},
      {"port": 3, "nodePort": 30999}]})");
  const int first = spec["ports"][0]["nodePort"];
  EXPECT_GE(first, 30000);
  EXPECT_LE(first, 32767);
  EXPECT_NE(spec["ports"][1]["nodePort"], first);
  EXPECT_EQ(spec["ports"][2]["nodePort"], 30999);
}

TEST_F(Services, KeepWhatTheyWereGiven) {
  const json old = Made(R"({"type": "NodePort", "ports": [{"port": 1, "protocol": "TCP"}]})");
  const json now = Changed(old, R"({"clusterIP": null, "clusterIPs": null,
      "ports": [{"port": 1, "protocol": "TCP", "name": "x"}]})");
  EXPECT_EQ(now["clusterIP"], old["clusterIP"]);
  EXPECT_EQ(now["ports"][0]["nodePort"], old["ports"][0]["nodePort"]);
}

TEST_F(Services, LoseWhatAnotherTypeHasNot) {
  const json old = Made(R"({"type": "NodePort", "externalTrafficPolicy": "Cluster",
      "ports": [{"port": 1, "protocol": "TCP"}]})");
  const json plain = Changed(old, R"({"type": "ClusterIP"})");
  EXPECT_FALSE(plain["ports"][0].contains("nodePort"));
  EXPECT_FALSE(plain.contains("externalTrafficPolicy"));
  const json name = Changed(plain, R"({"type": "ExternalName", "externalName": "x"})");
  EXPECT_FALSE(name.contains("clusterIP"));
  EXPECT_FALSE(name.contains("ipFamilies"));
}

TEST_F(Services, AChangeOfTheOneFieldIsOneOfTheOther) {
  const json old = Made(R"({"type": "ClusterIP", "ports": [{"port": 1, "protocol": "TCP"}]})");
  EXPECT_EQ(Changed(old, R"({"clusterIP": "10.0.9.9"})")["clusterIPs"], json::array({"10.0.9.9"}));
}

}  // namespace
}  // namespace berth::apiserver
