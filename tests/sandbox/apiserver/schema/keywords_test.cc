// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/keywords.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

std::string Problems(const char* schema) {
  return api::Aggregate(CheckKeywords(nlohmann::json::parse(schema), "s"));
}

TEST(CheckKeywords, AcceptsOrdinarySchemas) {
  EXPECT_EQ(Problems(R"({"type":"object","properties":{"a":{"type":"array",
      "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
      "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}},
      "x-kubernetes-validations":[{"rule":"true","message":"m","reason":"FieldValueForbidden"}]})"),
            "");
}

TEST(CheckKeywords, RefusesWhatIsNotSupported) {
  EXPECT_EQ(Problems(R"({"$ref":"x","properties":{"n":{"patternProperties":{"a":{}}}}})"),
            "[s.$ref: Forbidden: $ref is not supported, "
            "s.properties[n].patternProperties: Forbidden: patternProperties is not supported]");
}

TEST(CheckKeywords, RefusesListsThatContradictThemselves) {
  EXPECT_EQ(Problems(R"({"x-kubernetes-list-type":"set","items":{"type":"object"}})"),
            "s.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list "
            "with x-kubernetes-list-type=set");
  EXPECT_EQ(Problems(R"({"x-kubernetes-list-type":"map","items":{"type":"string"}})"),
            "s.items.type: Invalid value: \"string\": must be object if parent array's "
            "x-kubernetes-list-type is map");
}

TEST(CheckKeywords, ChecksTheFormOfRules) {
  EXPECT_EQ(Problems(R"({"x-kubernetes-validations":[{"rule":" "}]})"),
            "s.x-kubernetes-validations[0].rule: Required value: rule is not specified");
  EXPECT_EQ(Problems(R"({"x-kubernetes-validations":[{"rule":"a ||\n b"}]})"),
            "s.x-kubernetes-validations[0].message: Required value: message must be specified if "
            "rule contains line breaks");
}

}  // namespace
}  // namespace berth::apiserver
