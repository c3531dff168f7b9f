// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/yaml/yaml.h"
#include "tests/base/yaml/random_text.h"

namespace berth::yaml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string Read(std::string_view text) {
  const auto json = ToJson(text);
  return json ? *json : "ERROR " + json.error().message();
}

// Results of sigs.k8s.io/yaml 1.6 (kubectl 1.36) for plain scalars.
TEST(YamlReader, TypesScalarsLikeKubectl) {
  const struct {
    std::string_view yaml;
    std::string_view json;
  } rows[] = {
      {"yes", "true"},
      {"Yes", "true"},
      {"YES", "true"},
      {"yEs", "\"yEs\""},
      {"no", "false"},
      {"On", "true"},
      {"OFF", "false"},
      {"y", "true"},
      {"N", "false"},
      {"true", "true"},
      {"False", "false"},
      {"tRue", "\"tRue\""},
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"NULL", "null"},
      {"nULL", "\"nULL\""},
      {"0644", "420"},
      {"0o17", "15"},
      {"017", "15"},
      {"-017", "-15"},
      {"08", "8"},
      {"09.5", "9.5"},
      {"0x1F", "31"},
      {"+0x1F", "31"},
      {"0x", "\"0x\""},
      {"0b101", "5"},
      {"-0b101", "-5"},
      {"0b2", "\"0b2\""},
      {"00", "0"},
      {"0_7", "7"},
      {"1_000", "1000"},
      {"1_0.5", "10.5"},
      {"_1", "\"_1\""},
      {"12", "12"},
      {"+12", "12"},
      {"-12", "-12"},
      {"-0", "0"},
      {"+", "\"+\""},
      {".", "\".\""},
      {".5", "0.5"},
      {"+.5", "0.5"},
      {"5.", "5"},
      {"1.0", "1"},
      {"1e3", "1000"},
      {"1E3", "1000"},
      {"1e+3", "1000"},
      {"1e-3", "0.001"},
      {"1.5e3", "1500"},
      {"5.e+3", "5000"},
      {"1e21", "1e+21"},
      {"1.5e-7", "1.5e-07"},
      {"1e-400", "0"},
      {"1e400", "\"1e400\""},
      {"inf", "\"inf\""},
      {"NaN", "\"NaN\""},
      {"1:30", "\"1:30\""},
      {"1.5.2", "\"1.5.2\""},
      {"0x1p4", "\"0x1p4\""},
      {"2001-12-14", "\"2001-12-14\""},
      {"2001-12-14T21:59:43Z", "\"2001-12-14T21:59:43Z\""},
      {"9223372036854775807", "9223372036854775807"},
      {"18446744073709551615", "18446744073709551615"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"123456789012345678901", "1.2345678901234568e+20"},
      {"100m", "\"100m\""},
      {"1Gi", "\"1Gi\""},
      {"=", "\"=\""},
      {"<<", "\"<<\""},
      {"\"yes\"", "\"yes\""},
      {"'1'", "\"1\""},
      {"\"0644\"", "\"0644\""},
      {"! 12", "\"12\""},
      {"!!str 1", "\"1\""},
      {"!!str yes", "\"yes\""},
      {"!!str", "\"\""},
      {"!!int \"1\"", "1"},
      {"!!int 0644", "420"},
      {"!!float 1", "1"},
      {"!!bool \"yes\"", "true"},
      {"!!null ~", "null"},
      {"!!timestamp 2001-01-01", "\"2001-01-01\""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Read("a: " + std::string(row.yaml)), "{\"a\":" + std::string(row.json) + "}")
        << row.yaml;
  }
}

TEST(YamlReader, ConvertsKeysToText) {
  const struct {
    std::string_view yaml;
    std::string_view key;
  } rows[] = {{"1", "1"},     {"yes", "true"}, {"1.5", "1.5"}, {"\"1\"", "1"},
              {"0x10", "16"}, {"0644", "420"}, {"1.0", "1"},   {"2001-01-01", "2001-01-01"},
              {"a b", "a b"}};
  for (const auto& row : rows) {
    EXPECT_EQ(Read(std::string(row.yaml) + ": v"), "{\"" + std::string(row.key) + "\":\"v\"}");
  }
}

TEST(YamlReader, ReadsTypicalManifests) {
  EXPECT_EQ(Read("# a comment\n"
                 "kind: Pod\n"
                 "spec:\n"
                 "  containers:\n"
                 "  - name: a\n"
                 "    args: [--x, \"1\", {k: v}]\n"
                 "  - name: b\n"
                 "text: |\n"
                 "  one\n"
                 "   two\n"
                 "folded: >-\n"
                 "  three\n"
                 "  four\n"),
            "{\"folded\":\"three "
            "four\",\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"args\":[\"--x\",\"1\","
            "{\"k\":\"v\"}],\"name\":\"a\"},{\"name\":\"b\"}]},\"text\":\"one\\n two\\n\"}");
  EXPECT_EQ(Read("--- # start\na: 1\r\nb: 2\r\n...\n"), "{\"a\":1,\"b\":2}");
  EXPECT_EQ(Read("\xEF\xBB\xBF"
                 "a: 1"),
            "{\"a\":1}");
  EXPECT_EQ(Read("just text"), "\"just text\"");
  EXPECT_EQ(Read(""), "null");
  EXPECT_EQ(Read("# nothing\n"), "null");
}

TEST(YamlReader, ReadsJsonAsJson) {
  EXPECT_EQ(Read(" {\"b\": \"\\ud83d\\ude00\", \"a\": [1, 2.5, null]} "),
            "{\"a\":[1,2.5,null],\"b\":\"\U0001F600\"}");
  EXPECT_EQ(Read("[{\"yes\": \"yes\"}]"), "[{\"yes\":\"yes\"}]");
  EXPECT_EQ(Read("{a: yes}"), "{\"a\":true}") << "YAML, not JSON";
  EXPECT_EQ(Read("{\"a\": 1e400}"), "{\"a\":\"1e400\"}");
}

TEST(YamlReader, ExpandsAnchorsAndMerges) {
  const std::string anchors = "x: &x {a: 1, b: 2}\nz: &z {b: 3, c: 4}\n";
  const std::string written = "\"x\":{\"a\":1,\"b\":2},\"z\":{\"b\":3,\"c\":4}}";
  const struct {
    std::string_view yaml;
    std::string_view json;
  } rows[] = {
      {"m: *x", "{\"a\":1,\"b\":2}"},
      {"m: [*x, *x]", "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2}]"},
      {"m: {<<: *x, a: 9}", "{\"a\":9,\"b\":2}"},
      {"m: {a: 9, <<: *x}", "{\"a\":9,\"b\":2}"},
      {"m: {a: 9, <<: [*x, *z]}", "{\"a\":9,\"b\":2,\"c\":4}"},
      {"m: {\"<<\": q}", "{\"<<\":\"q\"}"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Read(anchors + std::string(row.yaml)),
              "{\"m\":" + std::string(row.json) + "," + written)
        << row.yaml;
  }
  EXPECT_EQ(Read("- &k key\n- *k : v\n"), "[\"key\",{\"key\":\"v\"}]");
}

TEST(YamlReader, ErrorsNamePositionAndCause) {
  const struct {
    std::string_view yaml;
    std::string_view message;
  } rows[] = {
      {"a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", "line 5, column 3: duplicate key \"c\""},
      {"{\"a\": 1, \"a\": 2}", "line 1, column 10: duplicate key \"a\""},
      {"1: a\n\"1\": b\n", "line 2, column 1: duplicate key \"1\""},
      {"x: &x {a: 1}\ny: {<<: *x, <<: *x}", "line 2, column 13: duplicate key \"<<\""},
      {"a: {<<: 5}", "line 1, column 9: \"<<\" takes a mapping or a list of mappings"},
      {"a: {<<: [5]}", "line 1, column 9: \"<<\" takes a mapping or a list of mappings"},
      {"? [a]\n: 1", "line 1, column 3: a key must be a string, found a list"},
      {"? {a: b}\n: 1", "line 1, column 3: a key must be a string, found a mapping"},
      {"~: 1", "line 1, column 1: a key must be a string, found null"},
      {"a: .inf", "line 1, column 4: .inf cannot be represented in JSON"},
      {"a: -.INF", "line 1, column 4: -.INF cannot be represented in JSON"},
      {"a: .nan", "line 1, column 4: .nan cannot be represented in JSON"},
      {"a: !!int x", "\"x\" is not of type !!int"},
      {"a: !!int 1.5", "\"1.5\" is not of type !!int"},
      {"a: !!float x", "\"x\" is not of type !!float"},
      {"a: !!null x", "\"x\" is not of type !!null"},
      {"a: !!binary aGk=", "unknown tag \"tag:yaml.org,2002:binary\", allowed: !!str"},
      {"a: !foo bar", "unknown tag \"!foo\""},
      {"a: !foo {b: c}", "unknown tag \"!foo\", allowed here: !!map"},
      {"a: !!map [b]", "allowed here: !!seq"},
      {"a: *nobody", "line 1, column 4: "},
      {"a: &a [*a]", "line 1, column 8: the alias refers to a node that contains it"},
      {"a: b: c", "line 1, column 5: "},
      {"a: [1, 2", "line 1, column "},
      {"a: 'x", "line 1, column "},
      {"a:\n\t- b", "line 2, column 1: found a tab, expected spaces"},
      {"a: 1\n\tb: 1\n", "line 2, column 1: found a tab, expected spaces"},
      {"a:\n  b: 1\n \tc: 2\n", "line 3, column 2: found a tab, expected spaces"},
      {"a: [1, 2\nb: 3\n", "line 2, column 2: expected \",\" or \"]\""},
      {"a:\n- b: 1\n c: 2\n", "line 3, column 2: expected \"- \" at the indentation"},
      {"a: b\n c: d\n", "line 2, column 3: expected no \":\" here"},
      {"{\"a\": 1\n \"b\": 2}", "line 2, column 2: expected \",\" or \"}\", found \"b\""},
      {"{\"a\": }}", "line 1, column "},
      {"a: 1\n\x04 b: 2", "line 2, column 1: control character 4"},
      {"a: \x7f", "line 1, column 4: control character 127"},
      {"a: \xff", "the text is not valid UTF-8"},
      {"a: 1\n---\nb: 2", "expected one document, found 2"},
      {"\"a\" \"b\"", "expected the end or \"---\", found more text"},
  };
  for (const auto& row : rows) {
    const auto json = ToJson(row.yaml);
    ASSERT_FALSE(json.has_value()) << row.yaml << " gave " << *json;
    EXPECT_EQ(json.error().reason(), Reason::kConfig);
    EXPECT_THAT(json.error().message(), HasSubstr(row.message)) << row.yaml;
  }
}

TEST(YamlReader, ErrorInReturnsThePosition) {
  const auto error = ErrorIn("a: 1\n---\nb: 1\nb: 2\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(*error, (TextError{4, 1, "duplicate key \"b\""}));
  EXPECT_FALSE(ErrorIn("a: 1\n---\nb: 1\n"));
  EXPECT_FALSE(ErrorIn("{\"a\": 1,}")) << "valid in YAML";
}

TEST(YamlReader, BoundsDepth) {
  const auto nested = [](size_t levels, const std::string& open, const std::string& close) {
    std::string text;
    for (size_t i = 0; i < levels; ++i) text += open;
    text += "1";
    for (size_t i = 0; i < levels; ++i) text += close;
    return text;
  };
  EXPECT_TRUE(ToJson("a: " + nested(99, "[", "]")).has_value());
  EXPECT_THAT(Read("a: " + nested(100, "[", "]")), HasSubstr("more than 100 levels"));
  EXPECT_TRUE(ToJson(nested(100, "[", "]")).has_value()) << "as JSON";
  EXPECT_FALSE(ToJson(nested(101, "[", "]")).has_value()) << "as JSON";
  EXPECT_FALSE(ToJson(nested(100'000, "[", "]")).has_value());
  EXPECT_FALSE(ToJson(nested(100'000, "- ", "")).has_value());
  EXPECT_FALSE(ToJson(nested(100'000, "{a: ", "}")).has_value());
  // Aliases also add levels.
  EXPECT_THAT(Read("a: &a " + nested(60, "[", "]") +
                   "\nb: " + [&] { return std::string(60, '[') + "*a" + std::string(60, ']'); }()),
              HasSubstr("more than 100 levels"));
}

TEST(YamlReader, BoundsExpandedAliases) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int n = 0; n < 9; ++n) bomb += (n > 0 ? ", " : "") + last;
    bomb += "]\n";
  }
  EXPECT_THAT(Read(bomb), HasSubstr("more than 100000 nodes"));

  std::string long_text = "a: &a " + std::string(1 << 20, 'x') + "\nb: [";
  for (int i = 0; i < 100; ++i) long_text += "*a, ";
  EXPECT_THAT(Read(long_text + "]"), HasSubstr("64 MiB"));

  std::string many;
  for (int i = 0; i < kMaxNodes; ++i) many += "- x\n";
  EXPECT_THAT(Read(many), HasSubstr("more than 100000 nodes"));
  EXPECT_TRUE(ToJson(std::string_view(many).substr(4)).has_value());
}

// The size is checked before parsing, because a parser needs much more memory than the text.
TEST(YamlReader, BoundsTheText) {
  EXPECT_THAT(Read("a: " + std::string(kMaxYamlBytes, '[')), HasSubstr("more than 4 MiB"));
  EXPECT_THAT(Read(std::string(kMaxYamlBytes + 1, '[')), HasSubstr("more than 4 MiB"));
  std::string objects = "[";
  for (int i = 0; i < kMaxNodes / 3; ++i) objects += R"({"a":1},)";
  EXPECT_THAT(Read(objects + "{}]"), HasSubstr("more than 100000 nodes"));
  const std::string text = R"([",:{[\"\\,)" + std::string(8 << 20, ',') + R"("])";
  EXPECT_EQ(Read(text), text);
}

TEST(YamlReader, SplitsDocumentsAndOmitsEmptyOnes) {
  const auto documents = DocumentsToJson("---\na: 1\n---\n# nothing\n---\n[b]\n---\n");
  ASSERT_TRUE(documents.has_value()) << documents.error().message();
  EXPECT_THAT(*documents, ElementsAre("{\"a\":1}", "[\"b\"]"));
  EXPECT_THAT(*DocumentsToJson(""), IsEmpty());
  EXPECT_THAT(*DocumentsToJson("{\"a\": 1}"), ElementsAre("{\"a\":1}"));
  EXPECT_THAT(*DocumentsToJson("{\"a\": 1}\n---\n{\"b\": 2}\n"),
              ElementsAre("{\"a\":1}", "{\"b\":2}"));
  EXPECT_THAT(DocumentsToJson("a: 1\n---\nb: c: d\n").error().message(), StartsWith("line 3, "));
}

TEST(YamlReader, ReturnsAResultForAnyText) {
  std::mt19937 random(20260103);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = RandomText(random, 30);
    const auto documents = DocumentsToJson(text);
    if (!documents) {
      ASSERT_THAT(documents.error().message(), StartsWith("line ")) << text;
      continue;
    }
    for (const std::string& document : *documents) {
      ++read;
      ASSERT_EQ(ToJson(FromJson(document)), document) << text;
    }
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace berth::yaml
