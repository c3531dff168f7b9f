// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/validate.h"

#include <gtest/gtest.h>

#include "sandbox/apiserver/schema/defaults.h"
#include "tests/sandbox/apiserver/schema/thing.h"

namespace berth::apiserver {
namespace {

struct ValidateCase {
  const char* spec;
  const char* error;  // a real kube-apiserver's, without the name of the object
};

TEST(Validate, ErrorsMatchARealServer) {
  const auto schema = ThingSchema();
  const ValidateCase kCases[] = {
      {R"({"size":1})", ""},
      {R"({"size":1.0})", ""},
      {R"({"size":"x"})",
       R"(spec.size: Invalid value: "string": spec.size in body must be of type integer: "string")"},
      {R"({"size":11})",
       "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10"},
      {R"({"size":0})",
       "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"},
      {"{}", "spec.size: Required value"},
      {R"({"size":1.5})",
       R"([spec.size: Invalid value: "number": spec.size in body must be of type integer: "number", <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.size])"},
      {R"({"size":1,"n32":3000000000})",
       R"(<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.n32)"},
      {R"({"size":1,"name":"a"})",
       R"(spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long)"},
      {R"({"size":1,"name":"abcdefg"})", "spec.name: Too long: may not be more than 5 bytes"},
      {R"({"size":1,"name":"ABC"})",
       R"(spec.name: Invalid value: "ABC": spec.name in body should match '^[a-z]+$')"},
      {R"({"size":1,"mode":"z"})",
       R"(spec.mode: Unsupported value: "z": supported values: "a", "b")"},
      {R"({"size":1,"when":"x"})",
       R"(spec.when: Invalid value: "x": spec.when in body must be of type date-time: "x")"},
      {R"({"size":1,"when":"2026-01-01T00:00:00Z","ip":"10.0.0.1"})", ""},
      {R"({"size":1,"flag":"x"})",
       R"(spec.flag: Invalid value: "string": spec.flag in body must be of type boolean: "string")"},
      {R"({"size":1,"port":true})",
       R"(spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean")"},
      {R"({"size":1,"port":"http"})", ""},
      {R"({"size":1,"tags":["a","a"]})", R"(spec.tags[1]: Duplicate value: "a")"},
      {R"({"size":1,"tags":[]})",
       "spec.tags: Invalid value: 0: spec.tags in body should have at least 1 items"},
      {R"({"size":1,"tags":["a","b","c","d"]})",
       "spec.tags: Too many: 4: must have at most 3 items"},
      {R"({"size":1,"maybe":null})", ""},
      {R"({"size":1,"labels":{"a":"1","b":"2","c":"3"}})",
       "spec.labels: Too many: 3: must have at most 2 items"},
      {R"({"size":1,"labels":{"a":1}})",
       R"(spec.labels.a: Invalid value: "integer": spec.labels.a in body must be of type string: "integer")"},
      {R"({"size":1,"emb":{}})",
       "[spec.emb.apiVersion: Required value, spec.emb.kind: Required value]"},
      {R"({"size":1,"items":[{"port":1},{"port":1,"proto":"TCP"}]})",
       R"(spec.items[1]: Duplicate value: {"port":1,"proto":"TCP"})"},
      {R"({"size":1,"items":[{"port":1},{"port":1,"proto":"UDP"}]})", ""},
      {R"({"size":1,"items":[{"note":"x"}]})", "spec.items[0].port: Required value"},
      {R"({"size":1,"items":{}})",
       R"(spec.items: Invalid value: "object": spec.items in body must be of type array: "object")"},
      {R"({"size":1,"items":["x"]})",
       R"([spec.items[0]: Invalid value: "string": spec.items[0] in body must be of type object: "string", spec.items[0]: Invalid value: "x": must be an object for an array of list-type map])"},
      {R"({"size":1,"items":[null]})",
       R"(spec.items[0]: Invalid value: "null": spec.items[0] in body must be of type object: "null")"},
      {R"("abc")",
       R"(spec: Invalid value: "string": spec in body must be of type object: "string")"},
      {"null", "spec: Required value"},
      {R"({"size":1,"ref":[]})",
       R"(spec.ref: Invalid value: "array": spec.ref in body must be of type object: "array")"},
      {R"({"size":"x","mode":3})",
       R"([spec.mode: Invalid value: "integer": spec.mode in body must be of type string: "integer", spec.mode: Unsupported value: 3: supported values: "a", "b", spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"])"},
  };
  for (const ValidateCase& test : kCases) {
    nlohmann::json thing = Thing(test.spec);
    Default(*schema, &thing);
    EXPECT_EQ(api::Aggregate(Validate(*schema, thing)), test.error) << test.spec;
  }
}

TEST(Validate, ReturnsReasonOfCause) {
  const auto schema = ThingSchema();
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"size":"x"})", "FieldValueTypeInvalid"},
      {"{}", "FieldValueRequired"},
      {R"({"size":1,"name":"abcdefg"})", "FieldValueTooLong"},
      {R"({"size":1,"tags":["a","b","c","d"]})", "FieldValueTooMany"},
      {R"({"size":1,"mode":"z"})", "FieldValueNotSupported"},
      {R"({"size":1,"tags":["a","a"]})", "FieldValueDuplicate"},
      {R"({"size":11})", "FieldValueInvalid"}};
  for (const auto& [spec, reason] : kCases) {
    const auto errors = Validate(*schema, Thing(spec));
    ASSERT_FALSE(errors.empty()) << spec;
    EXPECT_EQ(errors[0].CauseReason(), reason) << spec;
  }
}

TEST(Validate, ChecksRestrictionsOnNames) {
  const auto schema = ParseResourceSchema(nlohmann::json::parse(
      R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","pattern":"^a"}}}}})"));
  ASSERT_TRUE(schema);
  const auto errors = Validate(**schema, nlohmann::json::parse(R"({"metadata":{"name":"b"}})"));
  EXPECT_EQ(api::Aggregate(errors),
            "metadata.name: Invalid value: \"b\": metadata.name in body should match '^a'");
}

TEST(Validate, IgnoresErrorsInUnchangedValues) {
  const auto schema = ThingSchema();
  const auto errors = [&](const char* now, const char* old) {
    const nlohmann::json before = Thing(old);
    return api::Aggregate(Validate(*schema, Thing(now), &before));
  };
  EXPECT_EQ(errors(R"({"size":11,"mode":"a"})", R"({"size":11})"), "");
  EXPECT_EQ(errors(R"({"size":12})", R"({"size":11})"),
            "spec.size: Invalid value: 12: spec.size in body should be less than or equal to 10");
  EXPECT_EQ(errors(R"({"size":1,"tags":["a","a"]})", R"({"size":1,"tags":["b","b"]})"), "");
}

}  // namespace
}  // namespace berth::apiserver
