// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Policies : public HandlerTest {
 protected:
  static constexpr const char* kAdmission = "/apis/admissionregistration.k8s.io/v1";

  void SetUp() override {
    const json policy = json::parse(R"j({"metadata": {"name": "p"}, "spec": {
      "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]},
      "variables": [{"name": "size", "expression": "has(object.data) ? size(object.data) : 0"}],
      "matchConditions": [{"name": "not-kube", "expression": "!request.namespace.startsWith('kube-')"}],
      "validations": [{"expression": "variables.size < 2", "messageExpression": "'at most one, not ' + string(variables.size)"}]}})j");
    ASSERT_EQ(Send("POST", std::string(kAdmission) + "/validatingadmissionpolicies", policy).code,
              201);
  }
  void Bind(json actions) {
    ASSERT_EQ(Send("POST", std::string(kAdmission) + "/validatingadmissionpolicybindings",
                   {{"metadata", {{"name", "b"}}},
                    {"spec", {{"policyName", "p"}, {"validationActions", std::move(actions)}}}})
                  .code,
              201);
  }
  static json Big(const char* name) {
    return {{"metadata", {{"name", name}}}, {"data", {{"a", "1"}, {"b", "2"}}}};
  }
};

TEST_F(Policies, DoNothingUntilBound) { EXPECT_EQ(Send("POST", kMaps, Big("x")).code, 201); }

TEST_F(Policies, DenyWithUpstreamsMessage) {
  Bind({"Deny"});
  const auto rejected = Send("POST", kMaps, Big("x"));
  EXPECT_EQ(rejected.code, 422);
  EXPECT_EQ(rejected.message(),
            "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied "
            "request: at most one, not 2");
  EXPECT_EQ(Send("POST", kMaps, {{"metadata", {{"name", "x"}}}, {"data", {{"a", "1"}}}}).code, 201);
  EXPECT_EQ(rejected.body["details"]["causes"][0]["message"],
            "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: at most one, not 2");
  EXPECT_EQ(Send("POST", "/api/v1/namespaces/kube-system/configmaps", Big("x")).code, 201);
}

TEST_F(Policies, WarnWithoutDenying) {
  Bind({"Warn"});
  const auto made = Send("POST", kMaps, Big("x"));
  EXPECT_EQ(made.code, 201);
  EXPECT_NE(made.headers.Find("Warning").value_or("").find(
                "Validation failed for ValidatingAdmissionPolicy 'p'"),
            std::string_view::npos);
}

TEST_F(Policies, RejectPolicyThatDoesNotCompile) {
  const json policy = json::parse(R"j({"metadata": {"name": "q"}, "spec": {
      "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]},
      "validations": [{"expression": "params.x"}]}})j");
  const auto rejected =
      Send("POST", std::string(kAdmission) + "/validatingadmissionpolicies", policy);
  EXPECT_EQ(rejected.code, 422);
  EXPECT_NE(rejected.message().find(
                "spec.validations[0].expression: Invalid value: \"params.x\": compilation failed: "
                "ERROR: <input>:1:1: undeclared reference to 'params'"),
            std::string::npos)
      << rejected.message();
}

TEST_F(Policies, RejectPolicyWithParameters) {
  const json policy = json::parse(R"j({"metadata": {"name": "q"}, "spec": {
      "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
      "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["secrets"]}]},
      "validations": [{"expression": "true"}]}})j");
  const auto rejected =
      Send("POST", std::string(kAdmission) + "/validatingadmissionpolicies", policy);
  EXPECT_EQ(rejected.code, 422);
  EXPECT_NE(rejected.message().find("it needs a real API server"), std::string::npos);
}

}  // namespace
}  // namespace berth::apiserver
