// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/field.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

class FieldTest : public testing::Test {
 protected:
  Field Root(const char* text) {
    document_ = json::parse(text);
    return {document_, errors_};
  }
  // Returns the errors since the last call.
  std::string Found() {
    std::string text = api::Aggregate(errors_);
    errors_.clear();
    return text;
  }

 private:
  json document_;
  Errors errors_;
};

TEST_F(FieldTest, HasPathAndValue) {
  const Field root = Root(R"({"spec": {"ports": [{"port": 80}], "data": {"a.b": "x"}}})");
  const Field spec = root["spec"];
  EXPECT_EQ(spec["ports"].Item(0)["port"].path(), "spec.ports[0].port");
  EXPECT_EQ(spec["ports"].Items()[0]["port"].Number(), 80);
  EXPECT_EQ(spec["data"].Key("a.b").path(), "spec.data[a.b]");
  EXPECT_EQ(spec["data"].Entries()[0].value.Text(), "x");
  EXPECT_EQ(spec["ports"].Item(3)["port"].Number(7), 7);
  EXPECT_FALSE(spec["none"]["below"].IsSet());
  EXPECT_EQ(spec["data"].At("elsewhere").path(), "elsewhere");
  EXPECT_EQ(spec["data"].At("elsewhere").Item(2)["x"].path(), "elsewhere[2].x");
}

TEST_F(FieldTest, IsEmptyMatchesGo) {
  const Field root = Root(R"({"null": null, "text": "", "list": [], "map": {}, "zero": 0})");
  for (const char* name : {"absent", "null", "text", "list", "map"})
    EXPECT_TRUE(root[name].IsEmpty()) << name;
  EXPECT_FALSE(root["zero"].IsEmpty());
  EXPECT_FALSE(root["null"].IsSet());
  EXPECT_TRUE(root["text"].IsSet());
}

TEST_F(FieldTest, ChecksAddErrors) {
  const Field root = Root(R"({"n": -1, "word": "c", "name": "A"})");
  EXPECT_FALSE(root["n"].AtLeast(0, kNotNegative));
  EXPECT_EQ(Found(), "n: Invalid value: -1: must be greater than or equal to 0");
  EXPECT_FALSE(root["n"].InRange(1, 5));
  EXPECT_EQ(Found(), "n: Invalid value: -1: must be between 1 and 5, inclusive");
  EXPECT_FALSE(root["word"].OneOf({"a", "b"}));
  EXPECT_EQ(Found(), R"(word: Unsupported value: "c": supported values: "a", "b")");
  EXPECT_FALSE(root["name"].Named(CheckLabelValue) && root["name"].Named(CheckDnsLabel));
  EXPECT_TRUE(Found().starts_with("name: Invalid value: \"A\": a lowercase RFC 1123 label"));
  EXPECT_FALSE(root["absent"].Require("because"));
  EXPECT_EQ(Found(), "absent: Required value: because");
}

TEST_F(FieldTest, ChecksIgnoreAbsentValues) {
  const Field absent = Root("{}")["absent"];
  EXPECT_TRUE(absent.AtLeast(0, kNotNegative));
  EXPECT_TRUE(absent.OneOf({"a"}));
  EXPECT_TRUE(absent.Named(CheckDnsLabel));
  EXPECT_EQ(Found(), "");
}

TEST_F(FieldTest, UnchangedTreatsNullAsAbsent) {
  const json old = {{"a", nullptr}, {"b", 1}};
  Errors unused;
  const Field before(old, unused);
  const Field now = Root(R"({"b": 2})");
  EXPECT_TRUE(now["a"].Unchanged(before["a"]));
  EXPECT_FALSE(now["b"].Unchanged(before["b"]));
  EXPECT_EQ(Found(), "b: Invalid value: 2: field is immutable");
}

TEST_F(FieldTest, ChecksLabelSelectors) {
  CheckLabelSelector(Root(R"({"matchExpressions": [
      {"key": "a", "operator": "In"}, {"key": "a", "operator": "Exists", "values": ["x"]},
      {"key": "a", "operator": "Is"}, {"key": "a", "operator": "In", "values": ["ok"]}]})"));
  EXPECT_EQ(Found(),
            "[matchExpressions[0].values: Required value: must be specified when `operator` is "
            "'In' or 'NotIn', matchExpressions[1].values: Forbidden: may not be specified when "
            "`operator` is 'Exists' or 'DoesNotExist', matchExpressions[2].operator: Invalid "
            "value: \"Is\": not a valid selector operator]");
}

}  // namespace
}  // namespace berth::apiserver
