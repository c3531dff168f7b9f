// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Authorization : public HandlerTest {
 protected:
  static constexpr const char* kRbac = "/apis/rbac.authorization.k8s.io/v1";

  void Grant(const std::string& name, json rules) {
    const std::string base = std::string(kRbac) + "/namespaces/default";
    EXPECT_EQ(
        Send("POST", base + "/roles", {{"metadata", {{"name", name}}}, {"rules", std::move(rules)}})
            .code,
        201);
    EXPECT_EQ(Send("POST", base + "/rolebindings",
                   {{"metadata", {{"name", name}}},
                    {"roleRef", {{"kind", "Role"}, {"name", name}}},
                    {"subjects", json::array({{{"kind", "User"}, {"name", "bob"}}})}})
                  .code,
              201);
  }
  Answered Bob(const std::string& method, const std::string& target, const json& body = nullptr) {
    return SendAs("bob-token", method, target, body);
  }
};

TEST_F(Authorization, RejectsWithUpstreamsMessage) {
  const auto rejected = Bob("GET", kPods);
  EXPECT_EQ(rejected.code, 403);
  EXPECT_EQ(rejected.message(),
            "pods is forbidden: User \"bob\" cannot list resource \"pods\" in API group \"\" in "
            "the namespace \"default\"");
  EXPECT_EQ(Bob("GET", "/apis/apps/v1/deployments").message(),
            "deployments.apps is forbidden: User \"bob\" cannot list resource \"deployments\" in "
            "API group \"apps\" at the cluster scope");
  EXPECT_EQ(Bob("GET", "/foo").message(), "forbidden: User \"bob\" cannot get path \"/foo\"");
  EXPECT_EQ(SendAs("wrong", "GET", kPods).code, 401);
}

TEST_F(Authorization, FollowsRoleChanges) {
  Grant("reader",
        json::array({{{"verbs", {"list"}}, {"apiGroups", {""}}, {"resources", {"pods"}}}}));
  EXPECT_EQ(Bob("GET", kPods).code, 200);
  EXPECT_EQ(Bob("POST", kPods, Pod("a")).code, 403);
  Send("DELETE", std::string(kRbac) + "/namespaces/default/rolebindings/reader");
  EXPECT_EQ(Bob("GET", kPods).code, 403);
}

TEST_F(Authorization, RejectsPrivilegeEscalation) {
  Grant("granter",
        json::array({{{"verbs", {"create"}},
                      {"apiGroups", {"rbac.authorization.k8s.io"}},
                      {"resources", {"roles", "rolebindings"}}},
                     {{"verbs", {"get"}}, {"apiGroups", {""}}, {"resources", {"pods"}}}}));
  const std::string base = std::string(kRbac) + "/namespaces/default";
  const auto role = [](const char* name, const char* verb) -> json {
    return {{"metadata", {{"name", name}}},
            {"rules",
             json::array({{{"verbs", {verb}}, {"apiGroups", {""}}, {"resources", {"pods"}}}})}};
  };
  EXPECT_EQ(Bob("POST", base + "/roles", role("a", "get")).code, 201);
  const auto rejected = Bob("POST", base + "/roles", role("b", "delete"));
  EXPECT_EQ(rejected.code, 403);
  EXPECT_NE(rejected.message().find("is attempting to grant RBAC permissions not currently held"),
            std::string::npos);
  const json binding = {{"metadata", {{"name", "c"}}},
                        {"roleRef", {{"kind", "ClusterRole"}, {"name", "cluster-admin"}}},
                        {"subjects", json::array({{{"kind", "User"}, {"name", "bob"}}})}};
  EXPECT_EQ(Bob("POST", base + "/rolebindings", binding).code, 403);
}

TEST_F(Authorization, AccessReviewsMatchTheDecision) {
  const json question = {{"spec",
                          {{"resourceAttributes",
                            {{"verb", "get"}, {"resource", "pods"}, {"namespace", "default"}}}}}};
  const std::string reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  EXPECT_EQ(Bob("POST", reviews, question).body["status"]["allowed"], false);
  EXPECT_EQ(Send("POST", reviews, question).body["status"]["allowed"], true);
  EXPECT_EQ(Send("POST", reviews, {{"spec", json::object()}}).code, 422);
}

TEST(PolicyRule, PathMayEndWithWildcard) {
  const Attributes attributes{.verb = "get",
                              .is_resource = false,
                              .namespace_ = {},
                              .group = {},
                              .resource = {},
                              .subresource = {},
                              .name = {},
                              .path = "/logs/x"};
  const auto allows = [&](const char* url) {
    return PolicyRule{{"get"}, {}, {}, {}, {url}}.Allows(attributes);
  };
  EXPECT_TRUE(allows("*"));
  EXPECT_TRUE(allows("/logs/*"));
  EXPECT_TRUE(allows("/logs/**"));
  EXPECT_TRUE(allows("/logs/x"));
  EXPECT_FALSE(allows("/logs"));
  EXPECT_FALSE(allows("/metrics*"));
}

TEST(Uncovered, ReturnsEachMissingPermission) {
  const std::vector<PolicyRule> owned = {{{"get"}, {""}, {"pods"}, {}, {}}};
  const std::vector<PolicyRule> wanted = {{{"list", "get", "watch"}, {""}, {"pods"}, {}, {}},
                                          {{"get"}, {}, {}, {}, {"/a"}}};
  std::vector<std::string> lines;
  for (const PolicyRule& rule : Uncovered(owned, wanted)) lines.push_back(rule.ToString());
  EXPECT_EQ(lines,
            (std::vector<std::string>{R"({APIGroups:[""], Resources:["pods"], Verbs:["list"]})",
                                      R"({APIGroups:[""], Resources:["pods"], Verbs:["watch"]})",
                                      R"({NonResourceURLs:["/a"], Verbs:["get"]})"}));
}

TEST(PolicyRule, SupportsWildcardsAndSubresources) {
  const PolicyRule rule{{"get"}, {"*"}, {"*/scale", "pods"}, {}, {}};
  Attributes attributes{.verb = "get",
                        .is_resource = true,
                        .namespace_ = {},
                        .group = "apps",
                        .resource = "deployments",
                        .subresource = "scale",
                        .name = {},
                        .path = {}};
  EXPECT_TRUE(rule.Allows(attributes));
  attributes.subresource = "status";
  EXPECT_FALSE(rule.Allows(attributes));
  attributes.resource = "pods";
  EXPECT_FALSE(rule.Allows(attributes));
  attributes.subresource.clear();
  EXPECT_TRUE(rule.Allows(attributes));
}

}  // namespace
}  // namespace berth::apiserver
