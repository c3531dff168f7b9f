// SPDX-License-Identifier: Apache-2.0
// Expressions over described structs: types, values, absent fields, shortcuts, suggestions.
#include "cel/struct_value.h"

#include <gmock/gmock.h>

#include "base/quantity.h"
#include "base/rare.h"
#include "base/time.h"
#include "cel/convert.h"
#include "cel/program.h"

namespace berth::cel {
namespace {

using testing::HasSubstr;

struct Part {
  std::string name;
  Rare<std::map<std::string, Quantity>> amounts;

  static auto Fields() {
    return json::Object(json::Field("name", &Part::name), json::Field("amounts", &Part::amounts));
  }
};

struct Thing {
  std::string namespace_;
  int32_t count = 0;
  bool ready = false;
  std::optional<int64_t> limit;
  std::optional<std::string> alias;
  Time made;
  std::map<std::string, std::string> labels;
  std::map<std::string, Quantity> amounts;
  std::vector<std::string> words;
  std::vector<Part> parts, more_parts;
  Rare<Part> main;
  json::Raw anything;

  static auto Fields() {
    return json::Object(
        json::Field("namespace", &Thing::namespace_), json::Field("count", &Thing::count),
        json::Field("ready", &Thing::ready), json::Field("limit", &Thing::limit),
        json::Field("alias", &Thing::alias), json::Field("made", &Thing::made),
        json::Field("labels", &Thing::labels), json::Field("amounts", &Thing::amounts),
        json::Field("words", &Thing::words), json::Field("parts", &Thing::parts),
        json::Field("moreParts", &Thing::more_parts), json::Field("main", &Thing::main),
        json::Field("anything", &Thing::anything));
  }
};

Environment ThingEnvironment() {
  Environment environment;
  environment.DeclareStruct("thing", json::TypeOf<Thing>());
  return environment;
}

Thing Full() {
  Thing thing;
  thing.namespace_ = "ns";
  thing.count = 3;
  thing.limit = 0;
  thing.made = Time::FromUnixSeconds(1'800'000'000);
  thing.labels = {{"a", "1"}, {"b", ""}};
  thing.amounts = {{"cpu", *Quantity::Parse("1500m")}};
  thing.words = {"x", "yy"};
  thing.parts = {{"p", {}}, {"q", {}}};
  thing.main.Edit().amounts.Edit()["memory"] = *Quantity::Parse("2Gi");
  return thing;
}

std::string Evaluated(const std::string& text, const Thing& thing) {
  const auto program = Compile(text, ThingEnvironment());
  if (!program) return "compile: " + program.error().message();
  StructVariable variable(json::TypeOf<Thing>());
  variable.PointAt(&thing);
  Activation activation;
  activation.Bind("thing", variable.value());
  Budget budget;
  const auto value = program->Evaluate(activation, budget);
  return value ? ToText(*value) : "error: " + value.error().message();
}

TEST(StructValue, ReadsPresentFields) {
  const struct {
    const char* text;
    const char* value;
  } kRows[] = {
      {"thing.namespace", "ns"},
      {"thing.count + 1", "4"},
      {"thing.limit", "0"},
      {"thing.made == timestamp('2027-01-15T08:00:00Z')", "true"},
      {"thing.labels['a']", "1"},
      {"thing.labels.a", "1"},
      {"'b' in thing.labels", "true"},
      {"thing.labels.all(k, size(k) == 1)", "true"},
      {"thing.labels['a' + '']", "1"},
      {"size(thing.labels)", "2"},
      {"quantity(thing.amounts['cpu']).isGreaterThan(quantity('1'))", "true"},
      {"thing.amounts['cpu'].asApproximateFloat()", "1.5"},
      {"thing.amounts.map(k, k)", "[cpu]"},
      {"thing.words.exists(w, w == 'yy')", "true"},
      {"thing.words[1]", "yy"},
      {"thing.parts.map(p, p.name)", "[p, q]"},
      {"(thing.parts + thing.moreParts)[1].name", "q"},
      {"thing.main.amounts['memory'] == quantity('2048Mi')", "true"},
      {"thing.parts[0] == thing.parts[0]", "true"},
      {"thing.parts[0] == thing.parts[1]", "false"},
      {"[thing].map(thing, thing.count)", "[3]"},
      {"[{'count': 7}].map(thing, thing.count)", "[7]"},
  };
  const Thing thing = Full();
  for (const auto& row : kRows) EXPECT_EQ(Evaluated(row.text, thing), row.value) << row.text;
}

TEST(StructValue, ReadsAbsentFieldsAsEmpty) {
  const struct {
    const char* text;
    const char* value;
  } kRows[] = {
      {"thing.namespace", ""},
      {"thing.count", "0"},
      {"thing.ready", "false"},
      {"size(thing.words)", "0"},
      {"size(thing.labels)", "0"},
      {"thing.main.name", ""},
      {"size(thing.main.amounts)", "0"},
      {"thing.main.amounts.all(k, false)", "true"},
      {"thing.labels['a']", "error: no such key: a"},
      {"thing.main.amounts['cpu']", "error: no such key: cpu"},
      {"thing.limit", "error: no such key: limit"},
      {"thing.alias", "error: no such key: alias"},
      {"thing.made", "error: no such key: made"},
      {"has(thing.namespace)", "false"},
      {"has(thing.count)", "false"},
      {"has(thing.limit)", "false"},
      {"has(thing.made)", "false"},
      {"has(thing.main)", "false"},
      {"has(thing.main.name)", "false"},
      {"has(thing.words)", "false"},
      {"thing.?main.name.orValue('none')", "none"},
      {"thing.?limit.orValue(7)", "7"},
      {"thing.labels[?'a'].orValue('none')", "none"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Evaluated(row.text, Thing()), row.value) << row.text;
  EXPECT_EQ(Evaluated("has(thing.limit) && has(thing.main) && has(thing.made)", Full()), "true");
  EXPECT_EQ(Evaluated("thing.?main.name.orValue('none')", Full()), "none") << "name is empty";
}

TEST(StructValue, SuggestsTheNearestName) {
  EXPECT_EQ(Evaluated("thing.lables['a'] == 'x'", Thing()),
            "compile: ERROR: <input>:1:6: undefined field 'lables'; nearest: labels\n"
            " | thing.lables['a'] == 'x'\n"
            " | .....^");
  EXPECT_THAT(Evaluated("thing.main.bogusName == ''", Thing()),
              HasSubstr("undefined field 'bogusName'; known: amounts, name"));
  EXPECT_THAT(Evaluated("thin.count == 1", Thing()), HasSubstr("; nearest: thing"));
  EXPECT_THAT(Evaluated("thing.namespace.startWith('a')", Thing()),
              HasSubstr("; nearest: startsWith"));
  EXPECT_THAT(Evaluated("thing.anything", Thing()), HasSubstr("undefined field 'anything'"));
  EXPECT_THAT(Evaluated("thing.amounts['cpu'] == '1'", Thing()), HasSubstr("kubernetes.Quantity"));
  EXPECT_THAT(Evaluated("thing.main == 1", Thing()), HasSubstr("'(thing.main, int)'"));
}

void TakeShortcutsAway(Expr& expr) {
  expr.shortcut = nullptr;
  for (const ExprPtr& arg : expr.args) TakeShortcutsAway(*arg);
}

TEST(StructValue, ShortcutHasTheCostAndErrorsOfItsSteps) {
  const Thing thing = Full();
  for (const char* text :
       {"thing.main.name", "thing.labels['a']", "thing.labels['none']",
        "thing.main.amounts['memory']", "thing.limit", "thing.alias == 'x'",
        "thing.labels['a'] == '1'", "'1' != thing.labels['a']", "thing.labels['none'] == 'a'",
        "thing.namespace == 'a long text here'", "thing.main.name == ''", "'a' in thing.labels",
        "'none' in thing.labels"}) {
    auto program = Compile(text, ThingEnvironment());
    ASSERT_TRUE(program.has_value()) << text;
    ASSERT_NE(program->root().shortcut, nullptr) << text;
    ExprPtr steps = Copy(program->root());
    TakeShortcutsAway(*steps);
    const Program slow(std::shared_ptr<const Expr>(std::move(steps)), program->slots());
    StructVariable variable(json::TypeOf<Thing>());
    for (const Thing& read : {thing, Thing()}) {
      variable.PointAt(&read);
      Activation activation;
      activation.Bind("thing", variable.value());
      Budget quick_budget, slow_budget;
      const auto quickly = program->Evaluate(activation, quick_budget);
      const auto slowly = slow.Evaluate(activation, slow_budget);
      ASSERT_EQ(quickly.has_value(), slowly.has_value()) << text;
      EXPECT_EQ(quickly ? ToText(*quickly) : quickly.error().message(),
                slowly ? ToText(*slowly) : slowly.error().message());
      EXPECT_EQ(quick_budget.spent(), slow_budget.spent()) << text;
    }
  }
}

}  // namespace
}  // namespace berth::cel
