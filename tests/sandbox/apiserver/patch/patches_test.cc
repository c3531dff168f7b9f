// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/json_patch.h"
#include "sandbox/apiserver/patch/merge_patch.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kRejected = "the server rejected our request due to an error in our request";

struct Case {
  const char* document;
  const char* patch;
  const char* result;  // or the error
};

std::string Outcome(const Result<json>& result) {
  return result ? result->dump() : result.error().message();
}

TEST(JsonPatch, ImplementsRfc6902) {
  const Case kCases[] = {
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
      {R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])", R"({"a":2})"},
      {R"({"l":[1,3]})", R"([{"op":"add","path":"/l/1","value":2}])", R"({"l":[1,2,3]})"},
      {R"({"l":[1]})", R"([{"op":"add","path":"/l/-","value":2}])", R"({"l":[1,2]})"},
      {R"({"l":[1]})", R"([{"op":"add","path":"/l/1","value":2}])", R"({"l":[1,2]})"},
      {R"({"l":[1]})", R"([{"op":"add","path":"/l/2","value":2}])", kRejected},
      {R"({"l":[1]})", R"([{"op":"add","path":"/l/x","value":2}])", kRejected},
      {R"({})", R"([{"op":"add","path":"/a/b","value":2}])", kRejected},
      {R"({})", R"([{"op":"add","path":"/a"}])", kRejected},
      {R"({})", R"([{"op":"add","path":"a","value":1}])", kRejected},
      {R"({"a":{"b":1}})", R"([{"op":"remove","path":"/a/b"}])", R"({"a":{}})"},
      {R"({"a":1})", R"([{"op":"remove","path":"/b"}])", kRejected},
      {R"({"l":[1,2]})", R"([{"op":"remove","path":"/l/2"}])", kRejected},
      {R"({"a":1})", R"([{"op":"replace","path":"/a","value":2}])", R"({"a":2})"},
      {R"({})", R"([{"op":"replace","path":"/a","value":2}])", kRejected},
      {R"({})", R"([{"op":"replace","path":"/a/b","value":2}])", kRejected},
      {R"({"l":[1]})", R"([{"op":"replace","path":"/l/0","value":2}])", R"({"l":[2]})"},
      {R"({"l":[1]})", R"([{"op":"replace","path":"/l/1","value":2}])", kRejected},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":1}}])", R"({"b":1})"},
      {R"({"a":1})", R"([{"op":"move","path":"/b","from":"/a"}])", R"({"b":1})"},
      {R"({"a":1})", R"([{"op":"move","path":"/b","from":"/c"}])", kRejected},
      {R"({"a":1})", R"([{"op":"copy","path":"/b","from":"/a"}])", R"({"a":1,"b":1})"},
      {R"({"a":1})", R"([{"op":"copy","path":"/b","from":"/c"}])", kRejected},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":1}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])", kRejected},
      {R"({"a":1})", R"([{"op":"test","path":"/b","value":null}])", kRejected},
      {R"({"a":1})", R"([{"op":"test","path":"/b/c","value":null}])", kRejected},
      {R"({"a/b":1,"c~d":2})",
       R"([{"op":"remove","path":"/a~1b"},{"op":"replace","path":"/c~0d","value":3}])",
       R"({"c~d":3})"},
      {R"({})", R"([{"op":"foo","path":"/a"}])", kRejected},
      {R"({})", R"([{"op":"remove"}])", kRejected},
      {R"({})", R"({"a":1})", "error decoding patch: the body is not a list"},
      {R"({})", "x",
       "error decoding patch: the body is not JSON, has a duplicate field or is nested too deep"},
  };
  for (const Case& test : kCases)
    EXPECT_EQ(Outcome(ApplyJsonPatch(json::parse(test.document), test.patch)), test.result)
        << test.document << " " << test.patch;
}

TEST(JsonPatch, ErrorsHaveUpstreamsCodes) {
  const auto rejected = ApplyJsonPatch(json::object(), R"([{"op":"remove","path":"/a"}])");
  EXPECT_EQ(rejected.error().http_code(), 422);
  EXPECT_EQ(rejected.error().reason(), Reason::kInvalid);
  EXPECT_EQ(ApplyJsonPatch(json::object(), "{}").error().reason(), Reason::kBadRequest);
}

TEST(MergePatch, RejectsTooDeepNesting) {
  const auto nested = [](int depth) {
    return "{\"a\":" + std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']') + "}";
  };
  EXPECT_TRUE(ApplyMergePatch(json::object(), nested(999)));
  const auto rejected = ApplyMergePatch(json::object(), nested(1000));
  ASSERT_FALSE(rejected);
  EXPECT_TRUE(ApplyMergePatch(json::object(), R"({"a":"[[[\"[["})"));
}

TEST(MergePatch, MergesObjectsAndReplacesOtherValues) {
  const Case kCases[] = {
      {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
      {R"({"a":1})", R"({"a":null})", "{}"},
      {R"({})", R"({"a":null})", "{}"},
      {R"({"a":{"b":1}})", R"({"a":{"c":2}})", R"({"a":{"b":1,"c":2}})"},
      {R"({"a":{"b":1}})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"({"a":[1]})", R"({"a":{"b":null,"c":1}})", R"({"a":{"c":1}})"},
      {R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
      {R"({})", "[1]", "error decoding patch: the body is not an object"},
      {R"({})", "",
       "error decoding patch: the body is not JSON, has a duplicate field or is nested too deep"},
  };
  for (const Case& test : kCases)
    EXPECT_EQ(Outcome(ApplyMergePatch(json::parse(test.document), test.patch)), test.result)
        << test.document << " " << test.patch;
}

}  // namespace
}  // namespace berth::apiserver
