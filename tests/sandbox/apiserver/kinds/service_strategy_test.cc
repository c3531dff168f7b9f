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

TEST_F(Services, HaveAnAddressUnlessExternalName) {
  const json plain = Made(R"({"type": "ClusterIP"})");
  EXPECT_EQ(plain["clusterIPs"], json::array({plain["clusterIP"]}));
  EXPECT_EQ(plain["ipFamilies"], json::array({"IPv4"}));
  EXPECT_EQ(plain["ipFamilyPolicy"], "SingleStack");
  EXPECT_EQ(Made(R"({"type": "ClusterIP"})"), plain);
  EXPECT_FALSE(Made(R"({"type": "ExternalName", "externalName": "x"})").contains("clusterIP"));
}

TEST_F(Services, WithoutSelectorHaveEveryIpFamily) {
  EXPECT_EQ(Made(R"({"type": "ClusterIP", "clusterIP": "None"})")["ipFamilies"],
            (json{"IPv4", "IPv6"}));
  EXPECT_EQ(
      Made(R"({"type": "ClusterIP", "clusterIP": "None", "selector": {"a": "b"}})")["ipFamilies"],
      json::array({"IPv4"}));
}

TEST_F(Services, KeepAllocatedValues) {
  const json old = Made(R"({"type": "NodePort", "ports": [{"port": 1, "protocol": "TCP"}]})");
  const json now = Changed(old, R"({"clusterIP": null, "clusterIPs": null,
      "ports": [{"port": 1, "protocol": "TCP", "name": "x"}]})");
  EXPECT_EQ(now["clusterIP"], old["clusterIP"]);
}

TEST_F(Services, ClusterIpAndClusterIpsChangeTogether) {
  const json old = Made(R"({"type": "ClusterIP", "ports": [{"port": 1, "protocol": "TCP"}]})");
  EXPECT_EQ(Changed(old, R"({"clusterIP": "10.0.9.9"})")["clusterIPs"], json::array({"10.0.9.9"}));
}

}  // namespace
}  // namespace berth::apiserver
