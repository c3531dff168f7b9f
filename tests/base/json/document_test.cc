// SPDX-License-Identifier: Apache-2.0
#include "base/json/document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::json {
namespace {

using Json = nlohmann::json;

Json ByLibrary(std::string_view text) { return Json::parse(text, nullptr, false); }

// Expects equal values of equal type, because 1 and 1.0 compare equal.
void ExpectAsLibrary(std::string_view text) {
  const Json read = ReadDocument(text);
  const Json expected = ByLibrary(text);
  EXPECT_EQ(read.is_discarded(), expected.is_discarded()) << text;
  if (expected.is_discarded()) return;
  EXPECT_EQ(read, expected) << text;
  EXPECT_EQ(read.type(), expected.type()) << text;
  EXPECT_EQ(DocumentText(read), expected.dump(-1, ' ', false, Json::error_handler_t::replace))
      << text;
}

TEST(ReadDocument, ReturnsTheSameAsNlohmann) {
  for (const char* text : {"null",
                           "true",
                           "false",
                           "0",

                           "1",
                           "-1",
                           "1.0",
                           "1e3",
                           "-2.5e-3",
                           "12345678901",
                           "9223372036854775807",
                           "9223372036854775808",
                           "18446744073709551615",
                           "18446744073709551616",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "0.1",
                           "1e400",
                           R"("")",
                           R"("a\"b\\c\/d\b\f\n\r\té\ud83d\ude00")",
                           "\"\x7f\"",
                           "\"ü\"",
                           "[]",
                           "{}",
                           "[1,[2,[]],{}]",
                           R"({"b":1,"a":{"d":[null],"c":"x"},"b":{"e":2}})",
                           " { \"a\" : 1 } "})
    ExpectAsLibrary(text);
}

TEST(ReadDocument, RejectsTheSameTextsAsNlohmann) {
  for (const char* text :
       {"", " ", "{", "[1,]", "{\"a\":1,}", "01", "+1", ".5", "nul", "'a'", "\"\x01\"", "\"\xff\"",
        "\"\\ud800\"", "\"\\x\"", "{} {}", "{a:1}", "[1] x"})
    ExpectAsLibrary(text);
}

TEST(ReadDocument, AcceptsDeepNesting) {
  const std::string deep = std::string(3000, '[') + std::string(3000, ']');
  EXPECT_EQ(ReadDocument(deep), ByLibrary(deep));
}

TEST(ReadPlainDocument, ReturnsNothingForAmbiguousText) {
  EXPECT_EQ(ReadPlainDocument(R"({"a":[1,{"b":"x"}]})"), Json::parse(R"({"a":[1,{"b":"x"}]})"));
  for (const char* text : {"", "{", R"({"a":1,"b":2,"a":1})", R"([{"b":{"a":1,"a":2}}])",
                           "\"\xff\"", "\"\\ud800\"", "18446744073709551616"})
    EXPECT_EQ(ReadPlainDocument(text), std::nullopt) << text;
}

TEST(ReadPlainDocument, ReturnsNothingForDeepNesting) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  // The second text needs a larger buffer; the depth limit must not change.
  for (const std::string& blanks : {std::string(), std::string(100'000, ' ')}) {
    EXPECT_NE(ReadPlainDocument(nested(kPlainDepth - 1) + blanks), std::nullopt);
    EXPECT_EQ(ReadPlainDocument(nested(kPlainDepth + 1) + blanks), std::nullopt);
  }
}

TEST(DocumentText, WritesLongTexts) {
  for (const size_t size : {1021, 1022, 1023, 1024, 5000}) {
    const Json document = {std::string(size, 'a'), {{"k", std::string(size, '"')}}, "b"};
    EXPECT_EQ(DocumentText(document), document.dump()) << size;
  }
}

TEST(DocumentText, ReplacesInvalidUtf8) {
  EXPECT_EQ(DocumentText(Json("a\xff\x62")), "\"a\xef\xbf\xbd\x62\"");
}

TEST(DocumentText, EscapesKeysLikeValues) {
  const Json document = {{"k:{\"name\":\"app\"}", "back\\slash"}, {"\x01", "\b\f\x1f\x7f"}};
  EXPECT_EQ(DocumentText(document), document.dump());
}

TEST(DocumentText, WritesFractionsLikeNlohmann) {
  for (const double number : {0.5, 1.0, 1e21, -3.25e-7, 1.0 / 3})
    EXPECT_EQ(DocumentText(Json(number)), Json(number).dump());
}

TEST(ShownText, CutsLongTextsAndLeavesOutLongLists) {
  EXPECT_EQ(ShownText(""), "");
  EXPECT_EQ(ShownText("[1,2]"), "[1,2]");
  EXPECT_EQ(ShownText("\"" + std::string(198, 'a') + "\""), "\"" + std::string(198, 'a') + "\"");
  EXPECT_EQ(ShownText("\"" + std::string(199, 'a') + "\""), "\"" + std::string(40, 'a') + "...\"");
  EXPECT_EQ(ShownText("[\"" + std::string(200, 'a') + "\"]"), "");
}

}  // namespace
}  // namespace berth::json
