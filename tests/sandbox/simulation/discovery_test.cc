// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/discovery.h"

#include <gtest/gtest.h>

namespace berth::simulation {
namespace {

TEST(ParseResourceList, OmitsSubresources) {
  const auto resources = ParseResourceList(R"({"groupVersion":"apps/v1","resources":[
    {"name":"deployments","kind":"Deployment","namespaced":true,"verbs":["list","delete"]},
    {"name":"deployments/status","kind":"Deployment","namespaced":true,"verbs":["get"]}]})");
  ASSERT_EQ(resources.size(), 1U);
  EXPECT_EQ(resources[0]->info().Path("shop", "web"),
            "/apis/apps/v1/namespaces/shop/deployments/web");
  EXPECT_TRUE(resources[0]->Can("list"));
  EXPECT_FALSE(resources[0]->Can("watch"));
}

TEST(ParseResourceList, CoreGroupIsEmpty) {
  const auto resources = ParseResourceList(
      R"({"groupVersion":"v1","resources":[{"name":"nodes","kind":"Node","verbs":[]}]})");
  ASSERT_EQ(resources.size(), 1U);
  EXPECT_EQ(resources[0]->info().ApiVersion(), "v1");
  EXPECT_EQ(resources[0]->info().Path("", "n1"), "/api/v1/nodes/n1");
}

TEST(ParseResourceList, ReturnsNothingForOtherDocuments) {
  EXPECT_TRUE(ParseResourceList("404 page not found").empty());
}

}  // namespace
}  // namespace berth::simulation
