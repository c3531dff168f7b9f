// SPDX-License-Identifier: Apache-2.0
#include "crds/effects.h"

#include <gmock/gmock.h>

#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

std::vector<std::string> WarningsOf(const std::string& spec) {
  return Warnings(ProfileOf(spec).spec, UpstreamCatalogue());
}

TEST(Warnings, AreNoneForADefaultProfile) { EXPECT_THAT(WarningsOf("{}"), testing::IsEmpty()); }

TEST(Warnings, NameFieldsWithoutEffect) {
  EXPECT_THAT(WarningsOf("{extenders: [{urlPrefix: u}]}"),
              testing::ElementsAre(testing::StartsWith("spec.extenders: ")));
  EXPECT_THAT(WarningsOf("{assign: {}}"),
              testing::ElementsAre(testing::StartsWith("spec.assign: ")));
  EXPECT_THAT(WarningsOf("{rollout: {strategy: Restart}}"),
              testing::ElementsAre(testing::StartsWith("spec.rollout.strategy: ")));
  EXPECT_THAT(WarningsOf("{deletionPolicy: WaitForPending}"),
              testing::ElementsAre(testing::StartsWith("spec.deletionPolicy: ")));
}

TEST(Warnings, NameArgumentsOfAPluginThatIsNotServed) {
  EXPECT_THAT(
      WarningsOf("{pluginConfig: [{name: PodTopologySpread}, {name: NodeResourcesFit}]}"),
      testing::ElementsAre(testing::StartsWith("spec.pluginConfig[name=PodTopologySpread]: ")));
}

TEST(FieldsWithoutEffect, HaveNoneThatADefaultProfileSets) {
  for (const FieldWithoutEffect& field : FieldsWithoutEffect()) {
    EXPECT_FALSE(field.is_set(SchedulerProfileSpec{})) << field.path;
    EXPECT_TRUE(field.path.starts_with("spec.")) << field.path;
  }
}

TEST(RefusalOf, RefusesAnEngineThisVersionDoesNotHave) {
  const auto refusal = RefusalOf(ProfileOf("{engine: {type: KubeScheduler}}").spec, {});
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->reason, kEngineNotSupported);
  EXPECT_THAT(refusal->message, testing::HasSubstr("KubeScheduler"));
}

TEST(RefusalOf, AllowsOnlyListedClusterRoles) {
  const SchedulerProfileSpec spec = ProfileOf("{engine: {clusterRoles: [reader]}}").spec;
  const std::vector<std::string> allowed{"reader"};
  EXPECT_EQ(RefusalOf(spec, {})->reason, kClusterRoleNotAllowed);
  EXPECT_FALSE(RefusalOf(spec, allowed).has_value());
  EXPECT_FALSE(RefusalOf(SchedulerProfileSpec{}, {}).has_value());
}

}  // namespace
}  // namespace berth::crds
