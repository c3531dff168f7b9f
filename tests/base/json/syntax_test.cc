// SPDX-License-Identifier: Apache-2.0
#include "base/json/syntax.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(SyntaxError, NamesPositionExpectedAndFound) {
  struct Row {
    std::string text;
    std::string error;
  };
  const Row rows[] = {
      {"{\n  \"a\": false\n  \"b\": 1\n}", R"(line 3, column 3: expected "," or "}", found "b")"},
      {R"({"a": 1 "b": 2})", R"(line 1, column 9: expected "," or "}", found "b")"},
      {R"({"a": [1 2]})", R"(line 1, column 10: expected "," or "]", found "2")"},
      {R"({"a": [1 true]})", R"(line 1, column 10: expected "," or "]", found "true")"},
      {R"({"a" 1})", R"(line 1, column 6: expected ":", found "1")"},
      {R"({"a" "b"})", R"(line 1, column 6: expected ":", found "b")"},
      {R"({"a" {}})", R"(line 1, column 6: expected ":", found "{")"},
      {R"({"a": })", R"(line 1, column 7: expected a value, found "}")"},
      {R"({"a": tru})", R"(line 1, column 7: expected a value, found "tru")"},
      {R"({'a': 1})", R"(line 1, column 2: expected a name in double quotes, found "'")"},
      {R"({a: 1})", R"(line 1, column 2: expected a name in double quotes, found "a")"},
      {R"({1: 1})", R"(line 1, column 2: expected a name in double quotes, found "1")"},
      {R"({"a": 1} x)", R"(line 1, column 10: expected the end of the text, found "x")"},
      {"{\"a\": 1}\n// why\n", R"(line 2, column 1: expected the end of the text, found "/")"},
      {"{\"a\": 1\n", R"(line 1, column 8: expected "," or "}", found the end of the text)"},
      {R"([{"a": 1})", R"(line 1, column 10: expected "," or "]", found the end of the text)"},
      {R"({"a":)", "line 1, column 6: expected a value, found the end of the text"},
      {"", "line 1, column 1: expected a value, found the end of the text"},
      {R"({"a": [1, 2,], "b": 1})",
       R"(line 1, column 12: expected a value, found "]": this comma is one too many)"},
      {"{\"a\": 1,\n}",
       "line 1, column 8: expected a name in double quotes, found \"}\": this comma is "
       "one too many"},
      {R"([1,,2])", R"(line 1, column 4: expected a value, found ",")"},
  };
  for (const Row& row : rows) {
    const auto error = SyntaxErrorIn(row.text);
    ASSERT_TRUE(error) << row.text;
    EXPECT_EQ(error->ToString(), row.error) << row.text;
  }
}

TEST(SyntaxError, DescribesTheErrorInAString) {
  const auto error = SyntaxErrorIn("{\"a\": \"x\ny\"}");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line, 1);
  EXPECT_NE(error->message.find("control character"), std::string::npos) << error->message;
}

TEST(SyntaxError, ReturnsNothingForValidJson) {
  for (const char* text : {"{}", "[]", "1", " {\"a\": [1, {\"b\": null}]}\n", R"({"a":1,"a":2})"}) {
    EXPECT_FALSE(SyntaxErrorIn(text)) << text;
  }
}

TEST(SyntaxError, DistinguishesJsonFromFlowCollections) {
  for (const char* text : {R"({"a")", " {\n \"a\": 1}", R"([{"a": 1}])"}) {
    EXPECT_TRUE(IsMeantAsJson(text)) << text;
  }
  for (const char* text :
       {"{a: 1}", "{}", "a: {\"b\": 1}", "[a, b]", "", "- {\"a\": 1}", "{\"a\": 1}\n---\nb: 1\n"}) {
    EXPECT_FALSE(IsMeantAsJson(text)) << text;
  }
}

}  // namespace
}  // namespace berth::json
