// SPDX-License-Identifier: Apache-2.0
// Limits, budgets and variables, which the case files do not cover.
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cel/authorizer.h"
#include "cel/function.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/parser.h"
#include "cel/program.h"
#include "cel/variables.h"
#include "tests/cel/literal_text.h"

namespace berth::cel {
namespace {

using testing::HasSubstr;

std::string Repeat(std::string_view part, int times, std::string_view separator = "") {
  std::string out;
  for (int i = 0; i < times; ++i) {
    if (i > 0) out += separator;
    out += part;
  }
  return out;
}

std::string CompileError(std::string_view text) {
  const auto program = Compile(text, Environment());
  return program ? "compiled" : program.error().message();
}

Result<Value> Evaluated(std::string_view text, Budget& budget) {
  const auto program = Compile(text, Environment());
  if (!program) return Fail(program.error());
  return program->Evaluate(Activation(), budget);
}

TEST(Compile, ErrorShowsLineAndPosition) {
  EXPECT_EQ(CompileError("1 +\n  nope"),
            "ERROR: <input>:2:3: undeclared reference to 'nope' (in container '')\n"
            " |   nope\n"
            " | ..^");
  EXPECT_THAT(CompileError("'äö' + 1"), HasSubstr("<input>:1:6: found no matching overload"));
}

TEST(Compile, ListsIssuesByPosition) {
  EXPECT_THAT(CompileError("a + b"), testing::MatchesRegex("(.|\n)*1:1:(.|\n)*1:5:(.|\n)*"));
}

TEST(Compile, RejectsUnwantedResultTypes) {
  EXPECT_EQ(Compile("1", Environment(), Basic(Kind::kBool)).error().message(),
            "must evaluate to bool, but evaluates to int");
  EXPECT_TRUE(Compile("true", Environment(), Basic(Kind::kBool)).has_value());
  EXPECT_TRUE(Compile("dyn(1)", Environment(), Basic(Kind::kBool)).has_value());
}

TEST(Compile, LimitsSizeNestingAndHeight) {
  EXPECT_EQ(CompileError(Repeat("(", 200) + "1" + Repeat(")", 200)), "compiled");
  EXPECT_THAT(CompileError(Repeat("(", 300) + "1" + Repeat(")", 300)),
              HasSubstr("expression recursion limit exceeded: 250"));
  EXPECT_EQ(CompileError(Repeat("1", 250, "+")), "compiled");
  EXPECT_THAT(CompileError(Repeat("1", 300, "+")), HasSubstr("max recursion depth exceeded"));
  EXPECT_EQ(CompileError(Repeat("true", 5000, "&&")), "compiled");
  EXPECT_THAT(CompileError(Repeat("[", 100'000)), HasSubstr("recursion limit exceeded"));
  EXPECT_THAT(CompileError(Repeat("1", kMaxExpressionCodePoints + 1)),
              HasSubstr("expression code point size exceeds limit: size: 100001, limit 100000"));
}

TEST(Program, ReportsTheVariablesItReads) {
  const Environment rules = RuleEnvironment(Basic(Kind::kInt));
  EXPECT_TRUE(Compile("self >= oldSelf", rules)->Names("oldSelf"));
  EXPECT_FALSE(Compile("self > 1", rules)->Names("oldSelf"));
  EXPECT_FALSE(Compile("[1].all(oldSelf, oldSelf > 0)", rules)->Names("oldSelf"));
}

TEST(Program, ReadsAnOptionalOldValue) {
  const Environment rules = RuleEnvironment(Basic(Kind::kInt), true);
  const auto program = Compile("oldSelf.orValue(0) < self", rules, Basic(Kind::kBool));
  ASSERT_TRUE(program.has_value()) << program.error().message();
  Activation activation;
  activation.Bind("self", Value::Int(1)).Bind("oldSelf", Value::None());
  Budget budget;
  EXPECT_TRUE(program->Evaluate(activation, budget)->AsBool());
  activation.Bind("oldSelf", Value::Some(Value::Int(2)));
  EXPECT_FALSE(program->Evaluate(activation, budget)->AsBool());
}

TEST(Program, EvaluatesConcurrently) {
  const auto program = Compile("lists.range(50).map(x, x * x).sum()", Environment());
  ASSERT_TRUE(program.has_value());
  std::vector<std::thread> threads;
  std::vector<int64_t> sums(4);
  for (int64_t& sum : sums) {
    threads.emplace_back([&] {
      Budget budget;
      sum = program->Evaluate(Activation(), budget)->AsInt();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sums, testing::Each(40425));
}

TEST(Budget, StopsAnExpressionAboveTheLimit) {
  Budget budget;
  const std::string loops = "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))";
  EXPECT_EQ(Evaluated(loops, budget).error().message(),
            "operation cancelled: actual cost limit exceeded");
  EXPECT_GT(budget.spent(), kCallLimit);
  EXPECT_LT(budget.spent(), kCallLimit + 20'000);
  EXPECT_FALSE(budget.IsExhausted());
}

TEST(Budget, AppliesInsideLogicalOperators) {
  Budget budget(10'000, 100);
  EXPECT_FALSE(Evaluated("lists.range(1000).size() > 0 || true", budget).has_value());
  EXPECT_FALSE(
      Evaluated("[1].exists(y, lists.range(1000).size() > 0 || true)", budget).has_value());
}

TEST(Budget, SharedByTheEvaluationsOfARequest) {
  Budget budget(30);
  ASSERT_TRUE(Evaluated("[1, 2].map(x, x)", budget).has_value());
  EXPECT_EQ(budget.spent(), 27u);
  EXPECT_EQ(Evaluated("[1, 2].map(x, x)", budget).error().message(),
            "operation cancelled: actual cost limit exceeded");
  EXPECT_TRUE(budget.IsExhausted());
  EXPECT_THAT(Evaluated("true", budget).error().message(), HasSubstr("running out of cost budget"));
}

TEST(Limits, BoundCheapOperations) {
  Budget budget;
  std::string doubled = "[[1, 2, 3, 4]]";
  for (int i = 0; i < 30; ++i) doubled += ".map(x, x + x)";
  EXPECT_THAT(Evaluated(doubled, budget).error().message(), HasSubstr("size limit"));
  std::string longer = "['" + Repeat("a", 50) + "']";
  for (int i = 0; i < 6; ++i) longer += ".map(s, s.replace('', s))";
  EXPECT_FALSE(Evaluated(longer, budget).has_value());
  EXPECT_THAT(Evaluated("lists.range(1000000000000)", budget).error().message(),
              HasSubstr("exceeds maximum allowed"));
}

TEST(Limits, SearchInALongTextTakesLinearTime) {
  const nlohmann::json document = {{"text", std::string(300'000, 'a')},
                                   {"wanted", std::string(150'000, 'a') + "b"}};
  Activation activation;
  activation.Bind("self", ViewOf(document));
  for (const char* search :
       {"indexOf(self.wanted)", "lastIndexOf(self.wanted)",
        "replace(self.wanted, '').size() - 300001", "split(self.wanted).size() - 2"}) {
    Budget budget;
    const auto program =
        Compile("self.text." + std::string(search), RuleEnvironment(Basic(Kind::kDyn)));
    ASSERT_TRUE(program.has_value()) << program.error().message();
    const auto found = program->Evaluate(activation, budget);
    ASSERT_TRUE(found.has_value()) << found.error().message();
    EXPECT_EQ(found->AsInt(), -1) << search;
  }
  Budget budget;
  EXPECT_THAT(Evaluated("lists.range(5000).map(x, [x]).distinct()", budget).error().message(),
              HasSubstr("cost limit exceeded"));
}

TEST(Variables, EvaluatedOnceOnFirstRead) {
  Environment environment = PolicyEnvironment();
  Variables variables;
  ASSERT_TRUE(variables.Add("numbers", "lists.range(100)", environment).has_value());
  ASSERT_TRUE(variables.Add("broken", "1 / 0", environment).has_value());
  ASSERT_TRUE(variables.Add("total", "variables.numbers.sum()", environment).has_value());
  const auto once = Compile("variables.total", environment);
  const auto twice = Compile("variables.total + variables.total", environment);
  ASSERT_TRUE(twice.has_value()) << twice.error().message();
  EXPECT_EQ(ToString(*twice->type()), "int");

  const auto cost = [&](const Program& program) {
    Activation activation;
    Budget budget;
    variables.Bind(activation, budget);
    EXPECT_TRUE(program.Evaluate(activation, budget).has_value());
    return budget.spent();
  };
  EXPECT_EQ(cost(*twice), cost(*once) + 3);

  Activation activation;
  Budget budget;
  variables.Bind(activation, budget);
  EXPECT_EQ(
      Compile("variables.broken", environment)->Evaluate(activation, budget).error().message(),
      "composited variable \"broken\" fails to evaluate: division by zero");
}

TEST(Variables, MayUseOnlyEarlierVariables) {
  Environment environment = PolicyEnvironment();
  Variables variables;
  ASSERT_TRUE(variables.Add("a", "1", environment).has_value());
  EXPECT_THAT(variables.Add("b", "variables.b + 1", environment).error().message(),
              HasSubstr("undefined field 'b'"));
}

TEST(Variables, LimitedInDepth) {
  Environment environment = PolicyEnvironment();
  Variables variables;
  ASSERT_TRUE(variables.Add("v0", Repeat("1", 200, "+"), environment).has_value());
  ASSERT_TRUE(variables.Add("v1", "variables.v0" + Repeat("+1", 200), environment).has_value());
  EXPECT_THAT(
      variables.Add("v2", "variables.v1" + Repeat("+1", 200), environment).error().message(),
      HasSubstr("nested too deep"));
}

class Counter final : public Opaque {
 public:
  explicit Counter(int64_t count) : count_(count) {}
  static const TypePtr& Type() {
    static const TypePtr kType = OpaqueOf("test.Counter");
    return kType;
  }
  const TypePtr& type() const override { return Type(); }
  bool Equals(const Opaque& other) const override {
    return count_ == static_cast<const Counter&>(other).count_;
  }
  std::string ToString() const override { return std::to_string(count_); }
  static Value Make(int64_t count) {
    return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<Counter>(count)));
  }
  static Value Plus(Arguments a) { return Make(Get(a[0]) + a[1].AsInt()); }
  static Value Count(Arguments a) { return Value::Int(Get(a[0])); }

 private:
  static int64_t Get(const Value& value) {
    return static_cast<const Counter&>(value.AsOpaque()).count_;
  }
  const int64_t count_;
};

TEST(Environment, AcceptsFunctionsOfTheCaller) {
  static constexpr FunctionRow kRows[] = {
      {"(test.Counter).plus(int) -> test.Counter", Counter::Plus},
      {"(test.Counter).count() -> int", Counter::Count},
  };
  static const TypePtr kTypes[] = {Counter::Type()};
  static const FunctionTable kFunctions(kRows, kTypes);
  Environment environment;
  environment.Use(kFunctions).Declare("counter", Counter::Type());
  const auto program = Compile("counter.plus(2).count() + size('a')", environment);
  ASSERT_TRUE(program.has_value()) << program.error().message();
  Activation activation;
  activation.Bind("counter", Counter::Make(1));
  Budget budget;
  EXPECT_EQ(program->Evaluate(activation, budget)->AsInt(), 4);
  EXPECT_THAT(
      Compile("counter.plus('a')", environment).error().message(),
      HasSubstr("found no matching overload for 'plus' applied to 'test.Counter.(string)'"));
  EXPECT_THAT(CompileError("1.plus(2)"), HasSubstr("undeclared reference to 'plus'"));
}

TEST(Environment, PrefersDottedVariablesToFields) {
  Environment environment;
  environment.Declare("a", Basic(Kind::kDyn)).Declare("a.b", Basic(Kind::kInt));
  Activation activation;
  const nlohmann::json document = {{"b", 1}, {"c", 2}};
  activation.Bind("a", ViewOf(document)).Bind("a.b", Value::Int(3));
  Budget budget;
  EXPECT_EQ(Compile("a.b + a.c", environment)->Evaluate(activation, budget)->AsInt(), 5);
  EXPECT_EQ(
      Compile("[{'b': 7}].map(a, a.b)[0]", environment)->Evaluate(activation, budget)->AsInt(), 7);
}

TEST(PolicyEnvironment, DeclaresRequest) {
  const Environment environment = PolicyEnvironment();
  EXPECT_TRUE(Compile("request.operation == 'CREATE' && request.namespace == ''", environment));
  EXPECT_THAT(Compile("request.nope", environment).error().message(),
              HasSubstr("undefined field 'nope'"));
}

TEST(PolicyEnvironment, AuthorizerDecidesByGroupResourceNamespaceAndVerb) {
  const auto program = Compile(
      "authorizer.group('apps').resource('deployments').namespace('team').check('create')"
      ".allowed() && !authorizer.group('').resource('pods').check('get').allowed()",
      PolicyEnvironment().AcceptedBy(30), Basic(Kind::kBool));
  ASSERT_TRUE(program.has_value()) << program.error().message();
  std::vector<std::string> checks;
  Activation activation;
  activation.Bind("authorizer", AuthorizerOf([&](const AccessCheck& check) {
                    checks.push_back(check.verb + " " + check.group + "/" + check.resource +
                                     " in " + check.namespace_);
                    return check.group == "apps";
                  }));
  Budget budget;
  const auto result = program->Evaluate(activation, budget);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_TRUE(result->IsTrue());
  EXPECT_THAT(checks, testing::ElementsAre("create apps/deployments in team", "get /pods in "));
  EXPECT_GE(budget.spent(), 700'000u) << "a check costs as much as in the API server";
}

TEST(PolicyEnvironment, MessagesHaveNoAuthorizer) {
  EXPECT_THAT(Compile("authorizer.group('')", PolicyMessageEnvironment()).error().message(),
              HasSubstr("undeclared reference to 'authorizer'"));
}

TEST(ViewOf, ReadsTheDocumentInPlace) {
  const nlohmann::json document = {{"text", "abc"}, {"big", 18446744073709551615u}, {"half", 0.5}};
  const Value value = ViewOf(document);
  const Value text = *value.AsMap().Find(Value::String("text"));
  EXPECT_EQ(text.AsString().data(), document["text"].get_ref<const std::string&>().data());
  EXPECT_EQ(LiteralText(value), R"({"big": 18446744073709551616.0, "half": 0.5, "text": "abc"})");
}

}  // namespace
}  // namespace berth::cel
