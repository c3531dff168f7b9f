// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/impersonation.h"

#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Impersonation : public HandlerTest {
 protected:
  // Grants the rules to Bob, cluster-wide.
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

  Answer<UserInfo> Impersonate(const UserInfo& wanted) {
    return apiserver::Impersonate(state_.authorizer, bob_, wanted);
  }
  static UserInfo User(const std::string& name, std::vector<std::string> groups = {}) {
    return {.name = name, .uid = {}, .groups = std::move(groups), .extra = {}};
  }

  UserInfo bob_ = User("bob", {"system:authenticated"});

 private:
  int grants_ = 0;
};

TEST_F(Impersonation, RequiresPermissionForEachPart) {
  Grant(json::array({Rule("impersonate", "", "users")}));
  const auto jane = Impersonate(User("jane"));
  ASSERT_TRUE(jane);
  EXPECT_EQ(jane->groups, std::vector<std::string>{"system:authenticated"});
  const auto grouped = Impersonate(User("jane", {"devs"}));
  ASSERT_FALSE(grouped);
  EXPECT_EQ(grouped.error().details.kind, "groups");
}

TEST_F(Impersonation, ServiceAccountHasItsGroups) {
  Grant(json::array({Rule("impersonate", "", "serviceaccounts")}));
  const auto account = Impersonate(User("system:serviceaccount:default:a"));
  ASSERT_TRUE(account);
  EXPECT_EQ(account->groups,
            (std::vector<std::string>{"system:serviceaccounts", "system:serviceaccounts:default",
                                      "system:authenticated"}));
  EXPECT_FALSE(Impersonate(User("jane")));
}

}  // namespace
}  // namespace berth::apiserver
