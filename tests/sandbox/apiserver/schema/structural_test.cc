// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/structural.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

struct Case {
  const char* schema;
  const char* error;  // of a real kube-apiserver, without the path before the schema
};

TEST(CheckStructural, WordsMistakesAsARealServer) {
  const Case kCases[] = {
      {R"({"type":"object"})", ""},
      {"{}", "s.type: Required value: must not be empty at the root"},
      {R"({"type":"string"})", R"(s.type: Invalid value: "string": must be object at the root)"},
      {R"({"type":"foo"})",
       R"([s.type: Invalid value: "foo": must be object at the root, s.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"])"},
      {R"({"type":"object","properties":{"a":{}}})",
       "s.properties[a].type: Required value: must not be empty for specified object fields"},
      {R"({"type":"object","properties":{"a":{"type":"array"}}})",
       "s.properties[a].items: Required value: must be specified"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{}}}})",
       "s.properties[a].items.type: Required value: must not be empty for specified array items"},
      {R"({"type":"object","additionalProperties":{"type":"string"}})",
       "s.additionalProperties: Forbidden: must not be used at the root"},
      {R"({"type":"object","properties":{"a":{"type":"object"}},"anyOf":[{"properties":{"a":{"type":"object"}}}]})",
       "s.anyOf[0].properties[a].type: Forbidden: must be empty to be structural"},
      {R"({"type":"object","anyOf":[{"properties":{"b":{"minimum":1}}}]})",
       "s.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]"},
      {R"({"type":"object","not":{"description":"x","required":["q"]}})",
       "s.not.description: Forbidden: must be empty to be structural"},
      {R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object"}}}}})",
       "s.properties[metadata]: Forbidden: must not specify anything other than name and "
       "generateName, but metadata is implicitly specified"},
      {R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","pattern":"^a"}}}}})",
       ""},
      {R"({"type":"object","properties":{"kind":{"type":"integer"}}})",
       R"(s.properties[kind].type: Invalid value: "integer": must be string)"},
      {R"({"type":"object","properties":{"a":{"type":"string","pattern":"["}}})",
       "s.properties[a].pattern: Invalid value: \"[\": must be a valid regular expression, but "
       "isn't: error parsing regexp: missing closing ]: `[`"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"}}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]}}})",
       "s.properties[a].items.properties[k].default: Required value: this property is in "
       "x-kubernetes-list-map-keys, so it must have a default or be a required property"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"}}},"x-kubernetes-list-type":"map"}}})",
       "s.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if "
       "x-kubernetes-list-type is map"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["z"]}}})",
       R"(s.properties[a].x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties)"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"foo"}}})",
       R"(s.properties[a].x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map")"},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-map-keys":["x"]}}})",
       "s.properties[a].x-kubernetes-list-type: Required value: must be map if "
       "x-kubernetes-list-map-keys is non-empty"},
      {R"({"type":"object","properties":{"a":{"type":"string","x-kubernetes-list-type":"set"}}})",
       R"(s.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified)"},
      {R"({"type":"object","properties":{"a":{"type":"string","x-kubernetes-map-type":"atomic"}}})",
       R"(s.properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified)"},
      {R"({"type":"object","properties":{"a":{"x-kubernetes-embedded-resource":true}}})",
       "[s.properties[a].properties: Required value: must not be empty if "
       "x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields, "
       "s.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is "
       "true]"},
      {R"({"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true}}})",
       "s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false "
       "if x-kubernetes-int-or-string is true"},
      {R"({"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}}})",
       ""},
      {R"({"type":"object","properties":{"a":{"type":"array","uniqueItems":true,"items":{"type":"string"}}}})",
       "s.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the "
       "runtime complexity becomes quadratic"},
      {R"({"type":"object","properties":{"a":{"type":"integer","default":"x"}}})",
       "s.properties[a].default: Invalid value: \"string\":  in body must be of type integer: "
       "\"string\""},
  };
  for (const Case& test : kCases)
    EXPECT_EQ(api::Aggregate(CheckStructural(nlohmann::json::parse(test.schema), "s")), test.error)
        << test.schema;
}

}  // namespace
}  // namespace berth::apiserver
