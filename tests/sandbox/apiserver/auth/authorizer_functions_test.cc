// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/authorizer_functions.h"

#include <gtest/gtest.h>

#include "cel/kubernetes.h"
#include "cel/program.h"

namespace berth::apiserver {
namespace {

class AuthorizerFunctions : public testing::Test {
 protected:
  cel::Environment Environment() const {
    cel::Environment environment = cel::PolicyEnvironment();
    DeclareAuthorizer(environment);
    return environment;
  }

  bool Holds(const char* expression) {
    const auto program = cel::Compile(expression, Environment(), cel::Basic(cel::Kind::kBool));
    EXPECT_TRUE(program) << program.error().message();
    cel::Activation activation;
    activation.Bind(kAuthorizerVariable, AuthorizerValue(authorizer_, user_));
    activation.Bind(kRequestResourceVariable, RequestResourceValue(authorizer_, user_,
                                                                   {.verb = {},
                                                                    .is_resource = true,
                                                                    .namespace_ = "a",
                                                                    .group = {},
                                                                    .resource = "pods",
                                                                    .subresource = {},
                                                                    .name = {},
                                                                    .path = {}}));
    cel::Budget budget;
    const auto value = program->Evaluate(activation, budget);
    EXPECT_TRUE(value) << value.error().message();
    return value && value->IsTrue();
  }

  Store store_;
  Authorizer authorizer_{store_};
  UserInfo user_{.name = "admin", .uid = {}, .groups = {std::string(kMastersGroup)}, .extra = {}};
};

TEST_F(AuthorizerFunctions, AskForResourcesAndPaths) {
  constexpr const char* kResource =
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('a')"
      ".name('b').check('get').allowed()";
  constexpr const char* kPath = "authorizer.path('/healthz').check('get').allowed()";
  EXPECT_TRUE(Holds(kResource));
  EXPECT_TRUE(Holds(kPath));
  EXPECT_TRUE(Holds("authorizer.requestResource.check('approve').allowed()"));
  user_.groups.clear();
  EXPECT_FALSE(Holds(kResource));
  EXPECT_FALSE(Holds(kPath));
  EXPECT_FALSE(Holds("authorizer.requestResource.check('approve').allowed()"));
}

TEST_F(AuthorizerFunctions, AskForOthers) {
  EXPECT_FALSE(
      Holds("authorizer.serviceAccount('a', 'b').group('').resource('pods').check('get')"
            ".allowed()"));
  EXPECT_TRUE(Holds("!authorizer.path('/x').check('get').errored()"));
}

TEST_F(AuthorizerFunctions, HaveTypes) {
  const auto program = cel::Compile("authorizer.group('').check('get')", Environment());
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message().find("found no matching overload for 'check' applied to "
                                           "'kubernetes.authorization.GroupCheck.(string)'"),
            std::string::npos)
      << program.error().message();
}

}  // namespace
}  // namespace berth::apiserver
