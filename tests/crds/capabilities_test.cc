// SPDX-License-Identifier: Apache-2.0
#include "crds/capabilities.h"

#include <gmock/gmock.h>

#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

std::vector<std::string> Names(const std::vector<api::ClusterRole>& roles) {
  std::vector<std::string> names;
  for (const api::ClusterRole& role : roles) names.push_back(role.metadata.name);
  return names;
}

TEST(CapabilityRoles, ContainOnlyServedPlugins) {
  PluginCatalogueView catalogue = UpstreamCatalogue();
  for (PluginView& plugin : catalogue.plugins) plugin.served = plugin.name != "DefaultPreemption";
  EXPECT_THAT(Names(CapabilityRoles(catalogue)), testing::ElementsAre("berth:base"));
}

TEST(CapabilityRoles, GroupPermissionsByRole) {
  const auto roles = CapabilityRoles(UpstreamCatalogue());
  ASSERT_THAT(Names(roles), testing::ElementsAre("berth:base", "berth:preemption"));
  EXPECT_THAT(roles[0].rules, testing::UnorderedElementsAre(
                                  RuleFor("", {"nodes", "pods"}, {"get", "list", "watch"}),
                                  RuleFor("", {"pods/binding"}, {"create"})));
  EXPECT_THAT(roles[1].rules, testing::ElementsAre(RuleFor("", {"pods"}, {"delete"})));
}

TEST(ProfileAccessRoles, AggregateOnlyViewer) {
  const auto roles = ProfileAccessRoles();
  ASSERT_THAT(Names(roles), testing::ElementsAre("berth:schedulerprofiles-admin",
                                                 "berth:schedulerprofiles-editor",
                                                 "berth:schedulerprofiles-viewer"));
  const std::string aggregate = "rbac.authorization.k8s.io/aggregate-to-view";
  EXPECT_FALSE(roles[0].metadata.labels.contains(aggregate));
  EXPECT_FALSE(roles[1].metadata.labels.contains(aggregate));
  EXPECT_TRUE(roles[2].metadata.labels.contains(aggregate));
  EXPECT_THAT(roles[2].rules[0].verbs, testing::ElementsAre("get", "list", "watch"));
}

}  // namespace
}  // namespace berth::crds
