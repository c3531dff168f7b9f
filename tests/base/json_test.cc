// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/quantity.h"
#include "base/rare.h"
#include "base/time.h"

namespace berth::json {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Port {
  std::string name;
  int32_t number = 0;
  bool operator==(const Port&) const = default;
  static auto Fields() {
    return Object(Field("name", &Port::name).Required(), Field("number", &Port::number));
  }
};

struct Tree {
  std::string name;
  std::vector<Tree> children;
  std::map<std::string, Tree> named;
  bool operator==(const Tree&) const = default;
  static auto Fields() {
    return Object(Field("name", &Tree::name), Field("children", &Tree::children),
                  Field("named", &Tree::named));
  }
};

struct Sample {
  bool flag = false;
  int32_t small = 0;
  int64_t big = 0;
  double real = 0;
  std::string text;
  std::optional<bool> maybe;
  std::vector<Port> ports;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::vector<std::string>> groups;
  std::vector<std::shared_ptr<const Port>> shared;
  Rare<Port> rare;
  Raw raw;
  Quantity amount;
  Time when;
  bool enabled = true;
  std::vector<std::string> words = {"default"};
  static auto Fields() {
    return Object(Field("flag", &Sample::flag), Field("small", &Sample::small),
                  Field("big", &Sample::big), Field("real", &Sample::real),
                  Field("text", &Sample::text), Field("maybe", &Sample::maybe),
                  Field("ports", &Sample::ports), Field("labels", &Sample::labels),
                  Field("groups", &Sample::groups), Field("shared", &Sample::shared),
                  Field("rare", &Sample::rare), Field("raw", &Sample::raw),
                  Field("amount", &Sample::amount), Field("when", &Sample::when),
                  Field("enabled", &Sample::enabled), Field("words", &Sample::words));
  }
};

struct Kinded {
  std::string name;
  static auto Fields() {
    return Object(Constant("apiVersion", "v1"), Constant("kind", "Kinded"),
                  Field("name", &Kinded::name));
  }
};

// A struct that inherits the description of its second base.
struct Marked {
  int64_t mark = 1;
  bool operator==(const Marked&) const = default;
};

struct NamedPort : Marked, Port {
  std::string protocol = "TCP";
  bool operator==(const NamedPort&) const = default;
  static auto Fields() {
    return Object(Inherit<NamedPort, Port>(), Field("protocol", &NamedPort::protocol));
  }
};

template <class T = Sample>
std::string ErrorOf(std::string_view text, Mode mode = Mode::kLenient) {
  auto decoded = Decode<T>(text, mode);
  if (decoded) return "";
  EXPECT_TRUE(decoded.error().Is(Reason::kConfig));
  return decoded.error().message();
}

TEST(JsonDecode, ReadsEveryFieldType) {
  const auto sample = Decode<Sample>(R"({
    "flag": true, "small": -2147483648, "big": 9223372036854775807, "real": 0.5,
    "text": "a\n\u00e9\ud83d\ude00", "maybe": false,
    "ports": [{"name": "web", "number": 80}, {}], "labels": {"a": "b", "": "c"},
    "groups": {"x": ["1", "2"]}, "shared": [{"name": "s"}], "rare": {"number": 7},
    "raw": {"b": [1, {"c": null}], "a": "x"}, "amount": "1500m",
    "when": "2026-01-02T03:04:05Z", "enabled": false, "words": ["x"]})");
  ASSERT_TRUE(sample) << sample.error().message();
  EXPECT_TRUE(sample->flag);
  EXPECT_EQ(sample->small, -2147483648);
  EXPECT_EQ(sample->big, 9223372036854775807);
  EXPECT_EQ(sample->real, 0.5);
  EXPECT_EQ(sample->text, "a\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(sample->maybe, false);
  EXPECT_EQ(sample->ports, (std::vector<Port>{{"web", 80}, {}}));
  EXPECT_EQ(sample->labels, (std::map<std::string, std::string>{{"a", "b"}, {"", "c"}}));
  EXPECT_EQ(sample->groups.at("x"), (std::vector<std::string>{"1", "2"}));
  ASSERT_EQ(sample->shared.size(), 1u);
  EXPECT_EQ(sample->shared[0]->name, "s");
  EXPECT_EQ(sample->rare->number, 7);
  EXPECT_EQ(sample->raw.text, R"({"b": [1, {"c": null}], "a": "x"})");
  EXPECT_EQ(sample->amount.MilliValue(), 1500);
  EXPECT_EQ(sample->when.UnixSeconds(), 1767323045);
  EXPECT_FALSE(sample->enabled);
  EXPECT_EQ(sample->words, std::vector<std::string>{"x"});
}

TEST(JsonDecode, TreatsNullAsAbsent) {
  const auto sample = Decode<Sample>(
      R"({"flag": null, "big": null, "text": null, "maybe": null, "ports": null, "rare": null,
          "raw": null, "amount": null, "enabled": null, "words": null, "labels": {"a": null}})",
      Mode::kStrict);
  ASSERT_TRUE(sample) << sample.error().message();
  EXPECT_FALSE(sample->maybe.has_value());
  EXPECT_FALSE(sample->rare.has_value());
  EXPECT_TRUE(sample->raw.text.empty());
  EXPECT_TRUE(sample->enabled);
  EXPECT_EQ(sample->words, std::vector<std::string>{"default"});
  EXPECT_EQ(sample->labels.at("a"), "");
}

TEST(JsonDecode, ReplacesADefaultList) {
  EXPECT_TRUE(Decode<Sample>(R"({"words": []})")->words.empty());
}

TEST(JsonDecode, LastOfDuplicatesWinsWhenLenient) {
  const auto sample = Decode<Sample>(
      R"({"ports": [{"name": "a"}], "ports": [{"name": "b"}], "groups": {"x": ["1"], "x": ["2"]}})");
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->ports, (std::vector<Port>{{"b", 0}}));
  EXPECT_EQ(sample->groups.at("x"), std::vector<std::string>{"2"});
}

TEST(JsonDecode, SkipsUnknownFieldsWhenLenient) {
  const auto sample = Decode<Sample>(
      R"({"new": {"deep": [1, {"x": "}"}]}, "text": "t", "ports": [{"name": "p", "more": []}], "z": 1})");
  ASSERT_TRUE(sample) << sample.error().message();
  EXPECT_EQ(sample->text, "t");
  EXPECT_EQ(sample->ports[0].name, "p");
}

TEST(JsonDecode, ErrorNamesPathFoundAndExpected) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({"flag": "yes"})", R"(flag: expected a boolean, found a string ("yes"))"},
      {R"({"flag": 1})", "flag: expected a boolean, found a number (1)"},
      {R"({"text": 5})", "text: expected a string, found a number (5)"},
      {R"({"text": {}})", "text: expected a string, found an object"},
      {R"({"small": "5"})", R"(small: expected an integer, found a string ("5"))"},
      {R"({"small": 1.5})", "small: expected an integer, found a number (1.5)"},
      {R"({"real": true})", "real: expected a number, found a boolean (true)"},
      {R"({"ports": {}})", "ports: expected a list, found an object"},
      {R"({"ports": [{}, {"number": []}]})", "ports[1].number: expected an integer, found a list"},
      {R"({"labels": []})", "labels: expected an object, found a list"},
      {R"({"labels": {"a.b/c": 1}})", "labels[a.b/c]: expected a string, found a number (1)"},
      {R"({"groups": {"g": ["a", 2]}})", "groups.g[1]: expected a string, found a number (2)"},
      {R"({"shared": [null]})", "shared[0]: a list item cannot be null"},
      {R"({"rare": 3})", "rare: expected an object, found a number (3)"},
      {R"({"when": 3})", "when: expected a string, found a number (3)"},
      {R"({"amount": []})", "amount: expected a string or a number, found a list"},
      {R"([])", "document: expected an object, found a list"},
      {R"("x")", "document: expected an object, found a single value"},
      {R"(null)", "document: expected an object, found a single value"},
  };
  for (const Case& c : cases) EXPECT_EQ(ErrorOf(c.text), c.message) << c.text;
  EXPECT_THAT(ErrorOf(R"({"amount": "1 apple"})"), StartsWith("amount: "));
}

TEST(JsonDecode, RejectsNumbersOutOfRange) {
  EXPECT_EQ(ErrorOf(R"({"small": 2147483648})"),
            "small: 2147483648 is out of range [-2147483648, 2147483647]");
  EXPECT_EQ(ErrorOf(R"({"big": 9223372036854775808})"),
            "big: 9223372036854775808 is out of range "
            "[-9223372036854775808, 9223372036854775807]");
  EXPECT_THAT(ErrorOf(R"({"big": 1e30})"), HasSubstr("1e30 is out of range"));
  EXPECT_THAT(ErrorOf(R"({"big": -1e30})"), HasSubstr("-1e30 is out of range"));
  EXPECT_THAT(ErrorOf(R"({"big": 1e999})"), StartsWith("big: "));
}

TEST(JsonDecode, ReadsWholeFloatsAsIntegers) {
  const auto sample = Decode<Sample>(R"({"small": 2.0, "big": 1e+06, "amount": 0.5})");
  ASSERT_TRUE(sample) << sample.error().message();
  EXPECT_EQ(sample->small, 2);
  EXPECT_EQ(sample->big, 1000000);
  EXPECT_EQ(sample->amount.MilliValue(), 500);
}

TEST(JsonDecode, RejectsMalformedText) {
  const std::string_view texts[] = {
      "",
      " ",
      "{",
      "}",
      R"({"text")",
      R"({"text":)",
      R"({"text":"a)",
      R"({"text":"\q"})",
      R"({"text":"a",})",
      R"({"text" "a"})",
      R"({"ports":[{]})",
      R"({"ports":[{} {}]})",
      R"({"flag":tru})",
      R"({"flag":nul})",
      R"({"small":01})",
      R"({"small":-})",
      "{} {}",
      R"({"text":"a"} x)",
      "{]",
      "{\"text\":\"\xff\"}",
      R"({"text":"\ud83d"})",
  };
  for (const std::string_view text : texts) {
    EXPECT_NE(ErrorOf(text), "") << text;
    EXPECT_NE(ErrorOf(text, Mode::kStrict), "") << text;
  }
}

TEST(JsonDecode, RejectsDeepNesting) {
  std::string text = "{}";
  for (int i = 0; i < 60; ++i) text = R"({"children":[)" + text + "]}";
  EXPECT_EQ(ErrorOf<Tree>(text), "");
  for (int i = 0; i < 10; ++i) text = R"({"named":{"x":)" + text + "}}";
  EXPECT_THAT(ErrorOf<Tree>(text), HasSubstr("nested too deeply"));

  const std::string brackets = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_FALSE(Canonical(brackets));
  EXPECT_FALSE(Pretty(brackets));
  EXPECT_NE(ErrorOf(R"({"raw": )" + brackets + "}", Mode::kStrict), "");
}

TEST(JsonDecode, StrictReportsUnknownFieldsWithNearestName) {
  EXPECT_EQ(ErrorOf(R"({"txt": 1, "ports": [{"Name": "a"}], "text": "x"})", Mode::kStrict),
            R"(unknown field "txt"; nearest: text; unknown field "ports[0].Name"; nearest: name)");
  EXPECT_EQ(ErrorOf<Port>(R"({"qqqqqq": 1})", Mode::kStrict),
            R"(unknown field "qqqqqq"; allowed: name, number)");
}

TEST(JsonDecode, StrictStopsAfterTenUnknownFields) {
  std::string text = "{";
  for (int i = 0; i < 20; ++i) text += (i ? ",\"zzzzz" : "\"zzzzz") + std::to_string(i) + "\":1";
  const std::string message = ErrorOf<Port>(text + "}", Mode::kStrict);
  EXPECT_THAT(message, AllOf(HasSubstr("zzzzz9"), Not(HasSubstr("zzzzz10"))));
}

TEST(JsonDecode, StrictRejectsDuplicates) {
  EXPECT_EQ(ErrorOf(R"({"text": "a", "text": "b", "labels": {"k": "1", "k": "2"}})", Mode::kStrict),
            R"(duplicate field "text"; duplicate field "labels.k")");
}

TEST(JsonDecode, StrictRejectsAWrongConstant) {
  EXPECT_EQ(ErrorOf<Kinded>(R"({"kind": "Other"})", Mode::kStrict),
            R"(kind: expected "Kinded", found "Other")");
  EXPECT_EQ(ErrorOf<Kinded>(R"({"kind": "Other"})"), "");
  EXPECT_EQ(ErrorOf<Kinded>(R"({"apiVersion": "v1", "kind": "Kinded"})", Mode::kStrict), "");
}

TEST(JsonDecode, StrictRejectsMalformedRaw) {
  EXPECT_EQ(ErrorOf(R"({"raw": {"a": tru}})", Mode::kStrict), "raw: malformed JSON");
}

TEST(JsonEncode, OmitsEmptyFieldsUnlessTheirDefaultIsNot) {
  EXPECT_EQ(Encode(Sample{}), R"({"enabled":true,"words":["default"]})");
  Sample sample;
  sample.enabled = false;
  sample.words.clear();
  sample.maybe = false;
  sample.rare = Port{};
  sample.labels = {{"a", ""}};
  EXPECT_EQ(Encode(sample),
            R"({"enabled":false,"labels":{"a":""},"maybe":false,"rare":{"name":""},"words":[]})");
}

TEST(JsonEncode, AlwaysWritesConstantsAndRequiredFields) {
  EXPECT_EQ(Encode(Kinded{}), R"({"apiVersion":"v1","kind":"Kinded"})");
  EXPECT_EQ(Encode(std::vector<Port>{{}}), R"([{"name":""}])");
}

TEST(JsonEncode, IsCanonical) {
  const auto first = Decode<Sample>(
      R"({"text": "x", "raw": {"b": 1, "a": [ 1, 2 ]}, "labels": {"z": "1", "B": "2", "a": "3"}})");
  const auto second = Decode<Sample>(
      R"({"labels": {"a": "3", "B": "2", "z": "1"}, "raw": {"a": [1,2], "b": 1}, "text": "x"})");
  const std::string text = Encode(*first);
  EXPECT_EQ(text, Encode(*second));
  EXPECT_EQ(text, R"({"enabled":true,"labels":{"B":"2","a":"3","z":"1"},)"
                  R"("raw":{"a":[1,2],"b":1},"text":"x","words":["default"]})");
  EXPECT_EQ(Encode(*Decode<Sample>(text)), text);
}

TEST(JsonEncode, EscapesText) {
  std::string text;
  AppendQuoted(std::string_view("\"\\\n\r\t\x01\x1f\x7f\0/\xC3\xA9", 12), text);
  EXPECT_EQ(text, std::string(R"("\"\\\n\r\t\u0001\u001f)") + "\x7f" + R"(\u0000/)" + "\xC3\xA9\"");
  Sample sample;
  sample.text = "\"\\\n\x01";
  EXPECT_EQ(Decode<Sample>(Encode(sample))->text, sample.text);
}

TEST(JsonEncode, WritesNumbersThatReadBack) {
  for (const double number : {0.1, 1e-9, 1e21, -2.5, 50.0, 1.7976931348623157e308}) {
    Sample sample;
    sample.real = number;
    EXPECT_EQ(Decode<Sample>(Encode(sample))->real, number);
  }
}

TEST(JsonText, CanonicalAndPretty) {
  EXPECT_EQ(*Canonical(R"( {"b" : [1, 2.5], "a": {"d": null, "c": "x"}} )"),
            R"({"a":{"c":"x","d":null},"b":[1,2.5]})");
  EXPECT_EQ(*Pretty(R"({"b":1,"a":[]})"), "{\n  \"a\": [],\n  \"b\": 1\n}");
  EXPECT_EQ(*Canonical(R"("a}]{[\"")"), R"("a}]{[\"")");
  EXPECT_FALSE(Canonical("{"));
  EXPECT_FALSE(Pretty(""));
}

TEST(JsonType, DescribesFieldsAndOptions) {
  const Type& type = TypeOf<Port>();
  EXPECT_EQ(&type, &TypeOf<Port>());
  EXPECT_EQ(type.FieldNames(), (std::vector<std::string>{"name", "number"}));
  ASSERT_NE(type.FindField("number"), nullptr);
  EXPECT_EQ(type.FindField("number")->type().kind, Type::Kind::kInt32);
  EXPECT_TRUE(type.FindField("name")->options.required);
  EXPECT_EQ(type.FindField("Name"), nullptr);
}

TEST(JsonType, FindsFieldsInAnyOrder) {
  const Type& type = TypeOf<Sample>();
  size_t hint = 0;
  EXPECT_EQ(type.FindField("words", hint)->name, "words");
  EXPECT_EQ(type.FindField("flag", hint)->name, "flag");
  EXPECT_EQ(type.FindField("small", hint)->name, "small");
}

TEST(JsonType, InheritsTheDescriptionOfABase) {
  const auto port = Decode<NamedPort>(R"({"number": 80, "name": "web", "protocol": "UDP"})");
  ASSERT_TRUE(port) << port.error().message();
  EXPECT_EQ(port->mark, 1);
  EXPECT_EQ(port->name, "web");
  EXPECT_EQ(port->number, 80);
  EXPECT_EQ(port->protocol, "UDP");
  EXPECT_EQ(Encode(*port), R"({"name":"web","number":80,"protocol":"UDP"})");
  EXPECT_EQ(TypeOf<NamedPort>().FieldNames(),
            (std::vector<std::string>{"name", "number", "protocol"}));
  EXPECT_TRUE(TypeOf<NamedPort>().FindField("name")->options.required);
}

TEST(JsonTypeDeathTest, RejectsAMemberOfAnotherStruct) {
  EXPECT_DEATH(Describe<Tree>(Object(Field("name", &Port::name))), "member of another struct");
}

}  // namespace
}  // namespace berth::json
