// SPDX-License-Identifier: Apache-2.0
#include "crds/admission_policy.h"

#include <gmock/gmock.h>

#include "crds/scheduler_profile.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

std::string Variable(const api::ValidatingAdmissionPolicy& policy, const std::string& name) {
  for (const api::AdmissionVariable& variable : policy.spec.variables) {
    if (variable.name == name) return variable.expression;
  }
  return "no variable " + name;
}

TEST(PluginPolicy, ListsEveryPluginAndItsPoints) {
  const PluginCatalogueView catalogue = UpstreamCatalogue();
  const auto policy = PluginPolicy(catalogue);
  const std::string implements = Variable(policy, "implements");
  for (const PluginView& plugin : catalogue.plugins) {
    EXPECT_THAT(implements,
                testing::HasSubstr("'" + plugin.name + "': ['" + plugin.points[0] + "'"));
  }
  EXPECT_THAT(
      Variable(policy, "unserved"),
      testing::HasSubstr("'GangScheduling': 'not served by this version: it needs a gate'"));
  EXPECT_THAT(Variable(policy, "unserved"), testing::Not(testing::HasSubstr("'NodeName'")));
  for (const api::PluginPoint& point : api::kPluginPoints) {
    EXPECT_THAT(Variable(policy, "points"),
                testing::HasSubstr("'" + std::string(point.name) + "'"));
  }
}

TEST(PluginPolicy, HasStaticMessageForEachMessageExpression) {
  for (const api::Validation& rule : PluginPolicy(UpstreamCatalogue()).spec.validations) {
    EXPECT_FALSE(rule.message.empty()) << rule.expression;
    EXPECT_FALSE(rule.message_expression.empty()) << rule.expression;
    // The API server rejects line breaks in it.
    EXPECT_EQ(rule.message_expression.find('\n'), std::string::npos);
  }
}

TEST(PluginPolicy, FailsClosedAndMatchesOnlyProfiles) {
  const auto policy = PluginPolicy(UpstreamCatalogue());
  EXPECT_EQ(policy.spec.failure_policy, "Fail");
  ASSERT_EQ(policy.spec.match_constraints->resource_rules.size(), 1u);
  EXPECT_THAT(policy.spec.match_constraints->resource_rules[0].resources,
              testing::ElementsAre("schedulerprofiles"));
  EXPECT_EQ(PluginPolicyBinding().spec.policy_name, policy.metadata.name);
}

}  // namespace
}  // namespace berth::crds
