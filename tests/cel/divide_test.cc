// SPDX-License-Identifier: Apache-2.0
#include "cel/divide.h"

#include <gmock/gmock.h>

#include "cel/convert.h"
#include "cel/estimate.h"

namespace berth::cel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Environment AB() {
  Environment environment;
  environment.Declare("a", Basic(Kind::kDyn)).Declare("b", Basic(Kind::kDyn));
  return environment;
}

std::string Text(const Result<Value>& value) {
  return value ? ToText(*value) : "error: " + value.error().message();
}

// The rest, applied to the parts' results, returns the result of the whole.
TEST(Divide, PartsAndRestEvaluateLikeTheWhole) {
  const struct {
    const char* text;
    size_t parts;
  } kRows[] = {
      {"a.x > 1", 1},
      {"b.x > 1", 0},
      {"a.x > 1 || b.x == a.y", 2},
      {"a.x > b.x && a.x < 9", 2},
      {"b.list.exists(e, e == a.x)", 1},
      {"a.list.exists(e, e == b.x)", 1},
      {"a.list.exists(e, e == 1) && b.x == 2", 1},
      {"b.list.exists(e, a.list.exists(f, e == f))", 1},
      {"b.list.map(e, a.list.map(f, f + e))", 1},
      {"b.list.map(e, a.list.map(f, f + 1))", 1},
      {"a.none || b.x == 2", 1},
      {"a.none && b.x == 2", 1},
      {"b.x == 2 || a.none", 1},
      {"{'k': a.x, 'l': b.x}", 1},
      {"has(a.x) ? b.x : a.none", 2},
  };
  Activation activation;
  const Value list = Value::ListOf({Value::Int(1), Value::Int(2)});
  activation.Bind("a", Value::MapOf({{Value::String("x"), Value::Int(3)},
                                     {Value::String("y"), Value::Int(2)},
                                     {Value::String("list"), list}}));
  activation.Bind(
      "b", Value::MapOf({{Value::String("x"), Value::Int(2)}, {Value::String("list"), list}}));
  for (const auto& row : kRows) {
    const auto program = Compile(row.text, AB());
    ASSERT_TRUE(program.has_value()) << row.text;
    const SplitExpression divided = Divide(*program, std::vector<std::string>{"b"}, "$");
    EXPECT_EQ(divided.parts.size(), row.parts) << row.text;
    Activation rest = activation;
    Budget budget;
    for (size_t i = 0; i < divided.parts.size(); ++i) {
      EXPECT_FALSE(divided.parts[i].Names("b")) << row.text;
      auto part = divided.parts[i].Evaluate(activation, budget);
      rest.Bind(divided.names[i], part ? *part : Value::Error(part.error().message()));
    }
    EXPECT_FALSE(divided.rest.Names("a")) << row.text;
    EXPECT_EQ(Text(divided.rest.Evaluate(rest, budget)),
              Text(program->Evaluate(activation, budget)))
        << row.text;
  }
}

TEST(FieldsRead, ReturnsThePathsInTheExpression) {
  const auto read = [](const char* text) { return FieldsRead(Compile(text, AB())->root(), "b"); };
  EXPECT_THAT(read("b.x.y == a.z && has(b.u.v) && b.?w.x.hasValue()"),
              ElementsAre("u.v", "w.x", "x.y"));
  EXPECT_THAT(read("b.list.exists(e, e.x == b.n['k'].z)"), ElementsAre("list", "n"));
  EXPECT_THAT(read("[b].map(b, b.x)"), ElementsAre(""));
  EXPECT_THAT(read("a.b.x"), ElementsAre());
}

TEST(Estimate, EstimatesEachPartOnce) {
  std::string text = "a.l";
  for (int i = 0; i < 100; ++i) text += ".map(x, x)";
  EXPECT_GT(EstimateCost(Compile(text, AB())->root()), 100 * kAssumedElements);
}

TEST(Estimate, GrowsWithLoopsAndNamesTheInnermostCostlyPart) {
  const auto cost = [](const char* text) { return EstimateCost(Compile(text, AB())->root()); };
  EXPECT_EQ(cost("true"), 0u);
  EXPECT_EQ(cost("a.x"), 2u);
  EXPECT_LT(cost("a.x == b.x && a.y == b.y"), 5 * kAssumedElements);
  EXPECT_GT(cost("sets.contains(a.l, b.l)"), kAssumedElements * kAssumedElements);
  const uint64_t one = cost("a.l.all(x, x == 1)");
  EXPECT_GT(one, kAssumedElements);
  const uint64_t two = cost("a.l.all(x, a.l.all(y, x == y))");
  EXPECT_GT(two, one * kAssumedElements);
  const std::string text = "a.x &&\n  a.l.all(x, a.l.all(y, a.l.all(z, x == y)))";
  const auto program = Compile(text, AB());
  EXPECT_TRUE(RejectCostly(text, *program, 100'000'000).has_value());
  const auto rejected = RejectCostly(text, *program, 500'000);
  ASSERT_FALSE(rejected.has_value());
  EXPECT_THAT(rejected.error().message(), HasSubstr("ERROR: <input>:2:21: estimated to cost "));
  EXPECT_THAT(rejected.error().message(), HasSubstr("500000 are allowed"));
}

}  // namespace
}  // namespace berth::cel
