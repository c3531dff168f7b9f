// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_json.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

std::string Problem(std::string_view text) {
  const auto checked = CheckGoSyntax(text, 10);
  return checked ? std::string() : checked.error().message();
}

TEST(CheckGoSyntax, AcceptsWhatIsJson) {
  for (const char* text : {"{}", " [1, -0.5e+3, \"\\u00e9\\n\"] ", "null", "0", "\"x\"",
                           R"({"a":{"b":[true,false]}})"})
    EXPECT_EQ(Problem(text), "") << text;
}

// The texts are what a real kube-apiserver answered.
TEST(CheckGoSyntax, WordsMistakesAsGo) {
  const std::pair<std::string_view, const char*> kCases[] = {
      {"", "unexpected end of JSON input"},
      {"{", "unexpected end of JSON input"},
      {R"({"a":"x)", "unexpected end of JSON input"},
      {"not", "invalid character 'o' in literal null (expecting 'u')"},
      {R"({"a":tru})", "invalid character '}' in literal true (expecting 'e')"},
      {R"({"a":1 2})", "invalid character '2' after object key:value pair"},
      {R"({"a":01})", "invalid character '1' after object key:value pair"},
      {R"({"a":1.x})", "invalid character 'x' after decimal point in numeric literal"},
      {R"({"a":1ex})", "invalid character 'x' in exponent of numeric literal"},
      {R"({"a":-x})", "invalid character 'x' in numeric literal"},
      {"{a:1}", "invalid character 'a' looking for beginning of object key string"},
      {R"({"a":1,})", "invalid character '}' looking for beginning of object key string"},
      {R"({"a" 1})", "invalid character '1' after object key"},
      {R"({"a":"\q"})", "invalid character 'q' in string escape code"},
      {R"({"a":"\u12x4"})", "invalid character 'x' in \\u hexadecimal character escape"},
      {"[1 2]", "invalid character '2' after array element"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {R"({"a":1}})", "invalid character '}' after top-level value"},
      {R"({"a":'x'})", "invalid character '\\'' looking for beginning of value"},
      {"\"x\x01y\"", "invalid character '\\x01' in string literal"},
      {"\"x\ny\"", "invalid character '\\n' in string literal"},
      {"\xc3\xa9", "invalid character '\xc3\x83' looking for beginning of value"},
  };
  for (const auto& [text, problem] : kCases) EXPECT_EQ(Problem(text), problem) << text;
}

TEST(CheckGoSyntax, LimitsTheDepth) {
  EXPECT_EQ(Problem(std::string(10, '[') + std::string(10, ']')), "");
  EXPECT_EQ(Problem(std::string(11, '[') + std::string(11, ']')),
            "invalid character '[' exceeded max depth");
}

}  // namespace
}  // namespace berth::apiserver
