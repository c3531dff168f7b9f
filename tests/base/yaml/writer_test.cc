// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/yaml/yaml.h"
#include "tests/base/yaml/random_text.h"

namespace berth::yaml {
namespace {

using nlohmann::json;

TEST(YamlWriter, WritesLikeKubectl) {
  EXPECT_EQ(FromJson(
                R"({
              "kind": "Pod", "apiVersion": "v1",
              "spec": {"containers": [{"name": "a", "image": "registry:5000/x:v1",
                                       "args": ["--v=2", "-1", "yes"], "env": []},
                                      {"name": "b"}],
                       "nodeSelector": {}, "hostNetwork": true,
                       "replicas": 3, "ratio": 0.5, "none": null},
              "matrix": [[1, 2], [], [[3]], {}]})"),
            "apiVersion: v1\n"
            "kind: Pod\n"
            "matrix:\n"
            "- - 1\n"
            "  - 2\n"
            "- []\n"
            "- - - 3\n"
            "- {}\n"
            "spec:\n"
            "  containers:\n"
            "  - args:\n"
            "    - \"--v=2\"\n"
            "    - \"-1\"\n"
            "    - \"yes\"\n"
            "    env: []\n"
            "    image: registry:5000/x:v1\n"
            "    name: a\n"
            "  - name: b\n"
            "  hostNetwork: true\n"
            "  nodeSelector: {}\n"
            "  none: null\n"
            "  ratio: 0.5\n"
            "  replicas: 3\n");
}

TEST(YamlWriter, QuotesAmbiguousStrings) {
  const struct {
    std::string text;
    std::string written;
  } rows[] = {
      {"plain", "plain"},
      {"two words", "two words"},
      {"app.kubernetes.io/name", "app.kubernetes.io/name"},
      {"/healthz", "/healthz"},
      {"_internal", "_internal"},
      {"a:b", "a:b"},
      {"a: b", "\"a: b\""},
      {"a:", "\"a:\""},
      {"a #b", "\"a #b\""},
      {"", "\"\""},
      {" a", "\" a\""},
      {"a ", "\"a \""},
      {"yes", "\"yes\""},
      {"No", "\"No\""},
      {"oN", "\"oN\""},
      {"y", "\"y\""},
      {"null", "\"null\""},
      {"~", "\"~\""},
      {"inf", "\"inf\""},
      {"1", "\"1\""},
      {"0644", "\"0644\""},
      {"1e3", "\"1e3\""},
      {"2026-01-01T00:00:00Z", "\"2026-01-01T00:00:00Z\""},
      {"1:30", "\"1:30\""},
      {"100m", "\"100m\""},
      {"- a", "\"- a\""},
      {"*a", "\"*a\""},
      {"{}", "\"{}\""},
      {"%x", "\"%x\""},
      {"say \"x\\y\"", "\"say \\\"x\\\\y\\\"\""},
      {"a\tb", "\"a\\tb\""},
      {"a\rb", "\"a\\u000db\""},
      {"a\x1b", "\"a\\u001b\""},
      {"a\u0085b\u2028c\ufeff", "\"a\\u0085b\\u2028c\\ufeff\""},
      {"gr\u00fc\u00df \U0001F600", "\"gr\u00fc\u00df \U0001F600\""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(FromJson(json{{"k", row.text}}.dump()), "k: " + row.written + "\n");
  }
  EXPECT_EQ(FromJson(R"({"yes":1,"a:b":2,"1":3,"":4,"a b":5})"),
            "\"\": 4\n\"1\": 3\na b: 5\n\"a:b\": 2\n\"yes\": 1\n");
}

TEST(YamlWriter, WritesLiteralBlockIfItKeepsEveryByte) {
  const struct {
    std::string text;
    std::string written;
  } rows[] = {
      {"a\nb\n", "k: |\n  a\n  b\n"},
      {"a\n\n  b", "k: |-\n  a\n\n    b\n"},
      {"a\n\n", "k: |+\n  a\n\n"},
      {"a: yes\n# no comment\n- b \n", "k: |\n  a: yes\n  # no comment\n  - b \n"},
      {"a\tb\n", "k: |\n  a\tb\n"},
      {"\na\n", "k: \"\\na\\n\"\n"},
      {" a\nb\n", "k: \" a\\nb\\n\"\n"},
      {"a\n \nb", "k: \"a\\n \\nb\"\n"},
      {"a\n\tb", "k: \"a\\n\\tb\"\n"},
      {"a\r\nb", "k: \"a\\u000d\\nb\"\n"},
      {"\n", "k: \"\\n\"\n"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(FromJson(json{{"k", row.text}}.dump()), row.written) << json(row.text);
  }
  EXPECT_EQ(FromJson(R"({"l":[{"k":"a\nb"},"c\nd\n"]})"),
            "l:\n- k: |-\n    a\n    b\n- |\n  c\n  d\n");
}

TEST(YamlWriter, WritesSingleValues) {
  EXPECT_EQ(FromJson("null"), "null\n");
  EXPECT_EQ(FromJson("{}"), "{}\n");
  EXPECT_EQ(FromJson("[]"), "[]\n");
  EXPECT_EQ(FromJson("[1]"), "- 1\n");
  EXPECT_EQ(FromJson("\"a\\nb\\n\""), "|\n  a\n  b\n");
  EXPECT_EQ(FromJson("1.0"), "1\n");
  EXPECT_EQ(FromJson("1e+100"), "1e+100\n");
  EXPECT_EQ(FromJson("18446744073709551615"), "18446744073709551615\n");
}

TEST(YamlWriter, ReplacesInvalidUtf8AndAbortsOnInvalidJson) {
  EXPECT_EQ(FromJson("{\"k\":\"a\xFF\"}"), "k: \"a\uFFFD\"\n");
  EXPECT_DEATH(FromJson("{\"k\":"), "requires valid JSON");
}

TEST(YamlWriter, WritesLongKeys) {
  for (const size_t length : {999U, 1000U, 1001U, 5000U}) {
    const std::string key(length, 'k');
    for (const json& value : {json("v"), json{{"a", {1, 2}}}, json{1, 2}, json("a\nb\n")}) {
      const std::string text = json{{key, value}, {"z", 1}}.dump();
      EXPECT_EQ(ToJson(FromJson(text)), text) << FromJson(text);
    }
  }
}

json RandomValue(std::mt19937& random, int depth) {
  switch (random() % (depth > 0 ? 9 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<int64_t>(random()) - (int64_t{1} << 31);
    case 3:
      return std::ldexp(static_cast<double>(random()) - 2e9,
                        static_cast<int>(random() % 200) - 100);
    case 4:
    case 5:
      return RandomText(random, 6);
    case 6: {
      json list = json::array();
      for (size_t n = random() % 4; n > 0; --n) list.push_back(RandomValue(random, depth - 1));
      return list;
    }
    default: {
      json object = json::object();
      for (size_t n = random() % 4; n > 0; --n) {
        object[RandomText(random, 6)] = RandomValue(random, depth - 1);
      }
      return object;
    }
  }
}

TEST(YamlWriter, RoundTripsJson) {
  std::mt19937 random(20260102);
  for (int i = 0; i < 10'000; ++i) {
    const json document = RandomValue(random, 4);
    const std::string yaml = FromJson(document.dump());
    const auto again = ToJson(yaml);
    ASSERT_TRUE(again.has_value()) << again.error().message() << "\n" << document << "\n" << yaml;
    ASSERT_EQ(json::parse(*again), document) << yaml;
    ASSERT_EQ(FromJson(*again), yaml) << "same JSON, same bytes";
  }
}

}  // namespace
}  // namespace berth::yaml
