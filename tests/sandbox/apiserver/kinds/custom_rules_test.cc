// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/custom_rules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

class CustomRulesTest : public testing::Test {
 protected:
  // Returns the errors in the rules of a schema.
  std::string Compile(const char* schema) {
    Errors errors;
    rules_ = CustomRules::Compile(json::parse(schema), "s", errors);
    return api::Aggregate(errors);
  }
  std::string Check(const char* object, const char* old = nullptr) {
    const json now = json::parse(object), before = old == nullptr ? json() : json::parse(old);
    Errors errors;
    rules_->Check(now, old == nullptr ? nullptr : &before, errors);
    return api::Aggregate(errors);
  }

  std::shared_ptr<const CustomRules> rules_;
};

TEST_F(CustomRulesTest, ErrorsShowScalarValuesOnly) {
  ASSERT_EQ(Compile(R"({"type":"object","x-kubernetes-validations":[{"rule":"self.n > 0"}],
      "properties":{"n":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 1","message":"more"}]}}})"),
            "");
  EXPECT_EQ(Check(R"({"n":0})"),
            "[<nil>: Invalid value: failed rule: self.n > 0, n: Invalid value: 0: more]");
}

TEST_F(CustomRulesTest, ReportsEvaluationErrors) {
  ASSERT_EQ(Compile(R"({"type":"object","properties":{"b":{"x-kubernetes-int-or-string":true}},
      "x-kubernetes-validations":[{"rule":"self.b > 1","message":"big"}]})"),
            "");
  EXPECT_EQ(Check("{}"), "<nil>: Invalid value: \"object\": no such key: b evaluating rule: big");
  EXPECT_EQ(Check(R"({"b":"x"})"),
            "<nil>: Invalid value: \"object\": no such overload evaluating rule: big");
}

TEST_F(CustomRulesTest, RejectsInvalidCelRules) {
  EXPECT_EQ(
      Compile(R"({"type":"object","x-kubernetes-validations":[{"rule":"1 < 2 ? 'a' : 'b'"}]})"),
      R"(s.x-kubernetes-validations[0].rule: Invalid value: "1 < 2 ? 'a' : 'b'": cel expression must evaluate to a bool)");
  EXPECT_EQ(Compile(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string",
      "x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}})"),
            "s.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: \"self == "
            "oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within "
            "s.properties[l]");
  EXPECT_EQ(
      Compile(R"({"type":"object","x-kubernetes-validations":[
      {"rule":"true","messageExpression":"'x'"}]})"),
      "s.x-kubernetes-validations[0].messageExpression: Invalid value: \"true\": is not served "
      "by this server: it needs a real API server");
}

}  // namespace
}  // namespace berth::apiserver
