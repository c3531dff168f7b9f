// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/impersonation.h"

#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Impersonation : public HandlerTest {
 protected:
  // Bob may do this everywhere.
  void Grant(const json& rules) {
    const std::string base = "/apis/rbac.authorization.k8s.io/v1/cluster";
    const std::string name = "bob-" + std::to_string(++grants_);
    EXPECT_EQ(Send("POST", base + "roles", {{"metadata", {{"name", name}}}, {"rules", rules}}).code,
              201);
    EXPECT_EQ(Send("POST", base + "rolebindings",
                   {{"metadata", {{"name", name}}},
                    {"roleRef", {{"kind", "ClusterRole"}, {"name", name}}},
                    {"subjects", json::array({{{"kind", "User"}, {"name", "bob"}}})}})
                  .code,
              201);
  }
  static json Rule(const char* verb, const char* group, const char* resource) {
    return {{"verbs", {verb}}, {"apiGroups", {group}}, {"resources", {resource}}};
  }

  Answer<UserInfo> Become(const UserInfo& wanted) {
    return state_.impersonator.Become(bob_, wanted,
                                      {.verb = "list",
                                       .is_resource = true,
                                       .namespace_ = "default",
                                       .group = {},
                                       .resource = "pods",
                                       .subresource = {},
                                       .name = {},
                                       .path = {}});
  }
  static UserInfo User(const std::string& name, std::vector<std::string> groups = {}) {
    return {.name = name, .uid = {}, .groups = std::move(groups), .extra = {}};
  }

  UserInfo bob_ = User("bob", {"system:authenticated"});

 private:
  int grants_ = 0;
};

TEST_F(Impersonation, APlainOneNeedsARightToEachPart) {
  Grant(json::array({Rule("impersonate", "", "users")}));
  const auto jane = Become(User("jane"));
  ASSERT_TRUE(jane);
  EXPECT_EQ(jane->groups, std::vector<std::string>{"system:authenticated"});
  const auto grouped = Become(User("jane", {"devs"}));
  ASSERT_FALSE(grouped);
  EXPECT_EQ(grouped.error().details.kind, "groups");
}

TEST_F(Impersonation, TellsTheRefusalOfTheFirstWayThatFits) {
  const auto verb_of = [this](const char* user) {
    const std::string text = Become(User(user)).error().message;
    const size_t begin = text.find("cannot ") + 7;
    return text.substr(begin, text.find(' ', begin) - begin);
  };
  EXPECT_EQ(verb_of("jane"), "impersonate-on:user-info:list");
  EXPECT_EQ(verb_of("system:node:n1"), "impersonate-on:arbitrary-node:list");
  EXPECT_EQ(verb_of("system:serviceaccount:default:a"), "impersonate-on:serviceaccount:list");
  EXPECT_EQ(verb_of("system:serviceaccount:default"), "impersonate-on:user-info:list");
}

TEST_F(Impersonation, TellsTheRefusalOfTheWayThatWorkedLast) {
  Grant(json::array({{{"verbs", {"impersonate"}},
                      {"apiGroups", {""}},
                      {"resources", {"users"}},
                      {"resourceNames", {"jane"}}}}));
  ASSERT_TRUE(Become(User("jane")));
  EXPECT_EQ(Become(User("joe")).error().details.kind, "users");
}

TEST_F(Impersonation, AnAccountMayBeTheNodeThatItsTokenNames) {
  Grant(json::array({Rule("impersonate-on:associated-node:list", "", "pods"),
                     Rule("impersonate:associated-node", "authentication.k8s.io", "nodes")}));
  EXPECT_FALSE(Become(User("system:node:n1")));
  bob_.name = "system:serviceaccount:default:bob";
  bob_.extra[std::string(kNodeNameKey)] = {"n1"};
  EXPECT_FALSE(Become(User("system:node:n1"))) << "bob's rights are not the account's";
  EXPECT_EQ(Become(User("system:node:n1")).error().message,
            "pods is forbidden: User \"system:serviceaccount:default:bob\" cannot "
            "impersonate-on:associated-node:list resource \"pods\" in API group \"\" in the "
            "namespace \"default\"");
  bob_.groups = {"system:masters"};
  const auto node = Become(User("system:node:n1"));
  ASSERT_TRUE(node);
  EXPECT_EQ(node->groups, (std::vector<std::string>{"system:nodes", "system:authenticated"}));
}

TEST_F(Impersonation, OfManyGroupsAllMayBeAllowedAtOnce) {
  Grant(json::array({Rule("impersonate-on:user-info:list", "", "pods"),
                     Rule("impersonate:user-info", "authentication.k8s.io", "users"),
                     {{"verbs", {"impersonate:user-info"}},
                      {"apiGroups", {"authentication.k8s.io"}},
                      {"resources", {"groups"}},
                      {"resourceNames", {"*"}}}}));
  EXPECT_FALSE(Become(User("jane", {"a", "b", "c"})));
  EXPECT_TRUE(Become(User("jane", {"a", "b", "c", "d"})));
  EXPECT_FALSE(Become(User("jane", {"a", "b", "c", "system:masters"})));
}

TEST_F(Impersonation, ChecksExtraValuesOfAConstrainedOne) {
  Grant(json::array({Rule("impersonate-on:user-info:list", "", "pods"),
                     Rule("impersonate:user-info", "authentication.k8s.io", "*")}));
  UserInfo wanted = User("jane");
  wanted.extra["example.com/a"] = {"x"};
  EXPECT_TRUE(Become(wanted));
  wanted.extra["scopes"] = {"x"};
  const auto refused = Become(wanted);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("must be a domain-prefixed path"), std::string::npos);
}

}  // namespace
}  // namespace berth::apiserver
