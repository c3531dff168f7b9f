// SPDX-License-Identifier: Apache-2.0
#include "controllers/mutators.h"

#include <gmock/gmock.h>

#include "api/apps.h"
#include "api/rbac.h"

namespace berth::controllers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

AnyObject Deployment() {
  return AnyObject::Of(api::Deployment{
      .metadata = {.name = "berth-a", .namespace_ = "berth-system", .labels = {{"app", "berth"}}}});
}

// Returns the mutators of a Deployment among one webhook with these fields.
std::vector<std::string> OfWebhook(const std::string& fields) {
  const auto webhooks = json::Decode<api::MutatingWebhookConfiguration>(
      R"({"metadata":{"name":"mesh"},"webhooks":[{"name":"inject.example.com",)" + fields + "}]}");
  EXPECT_TRUE(webhooks) << webhooks.error().message();
  return MutatorsOf(
      Deployment(),
      {.webhooks = {std::make_shared<const api::MutatingWebhookConfiguration>(*webhooks)},
       .policies = {}});
}

std::vector<std::string> OfRule(const std::string& rule) {
  return OfWebhook(R"("rules":[{)" + rule + "}]");
}

constexpr const char* kFound = "webhook mesh/inject.example.com";

TEST(MutatorsOf, FindsWebhooksByTheirRules) {
  EXPECT_THAT(OfRule(R"("apiGroups":["apps"],"operations":["UPDATE"],"resources":["deployments"])"),
              ElementsAre(kFound));
  EXPECT_THAT(OfRule(R"("apiGroups":["*"],"operations":["*"],"resources":["*"],"scope":"*")"),
              ElementsAre(kFound));
  EXPECT_THAT(OfRule(R"("apiGroups":["*"],"operations":["*"],"resources":["*/*"])"),
              ElementsAre(kFound));
}

TEST(MutatorsOf, OmitsWebhooksOfOtherWrites) {
  EXPECT_THAT(OfRule(R"("apiGroups":[""],"operations":["*"],"resources":["*"])"), IsEmpty());
  EXPECT_THAT(OfRule(R"("apiGroups":["apps"],"operations":["*"],"resources":["daemonsets"])"),
              IsEmpty());
  EXPECT_THAT(OfRule(R"("apiGroups":["*"],"operations":["DELETE"],"resources":["*"])"), IsEmpty());
  EXPECT_THAT(OfRule(R"("apiGroups":["*"],"operations":["*"],"resources":["*"],"scope":"Cluster")"),
              IsEmpty());
  EXPECT_THAT(OfWebhook(R"("rules":[])"), IsEmpty());
}

TEST(MutatorsOf, EvaluatesObjectSelectors) {
  const std::string any = R"("rules":[{"apiGroups":["*"],"operations":["*"],"resources":["*"]}],)";
  EXPECT_THAT(OfWebhook(any + R"("objectSelector":{"matchLabels":{"app":"berth"}})"),
              ElementsAre(kFound));
  EXPECT_THAT(OfWebhook(any + R"("objectSelector":{"matchLabels":{"app":"web"}})"), IsEmpty());
}

TEST(MutatorsOf, FindsPoliciesWithoutTheirExcludedRules) {
  const auto policy = [](const std::string& match) {
    const auto decoded = json::Decode<api::MutatingAdmissionPolicy>(
        R"({"metadata":{"name":"delay"},"spec":{"matchConstraints":{)" + match + "}}}");
    EXPECT_TRUE(decoded) << decoded.error().message();
    return MutatorsOf(
        Deployment(),
        {.webhooks = {},
         .policies = {std::make_shared<const api::MutatingAdmissionPolicy>(*decoded)}});
  };
  const std::string all = R"([{"apiGroups":["apps"],"operations":["*"],"resources":["*"]}])";
  const std::string named =
      R"([{"apiGroups":["apps"],"operations":["*"],"resources":["*"],"resourceNames":["berth-a"]}])";
  EXPECT_THAT(policy(R"("resourceRules":)" + all), ElementsAre("policy delay"));
  EXPECT_THAT(policy(R"("resourceRules":)" + all + R"(,"excludeResourceRules":)" + named),
              IsEmpty());
  EXPECT_THAT(policy(""), IsEmpty());
}

}  // namespace
}  // namespace berth::controllers
