// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/faults.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

using testing::HasSubstr;

RequestInfo Bind() { return RequestInfo::Parse("POST", "/api/v1/namespaces/ns/pods/a/binding"); }

FaultRule Rule(std::string_view text) { return FaultRule::Parse(text).value(); }

TEST(FaultInjector, HitsMatchesUpToTimes) {
  FaultInjector faults(1);
  faults.Add(Rule(R"({"action": "fail", "resource": "pods", "subresource": "binding", "code": 503,
                      "skip": 1, "times": 1})"));
  EXPECT_FALSE(faults.Plan(RequestInfo::Parse("GET", "/api/v1/pods")).before.fail_code);
  EXPECT_FALSE(faults.Plan(Bind()).before.fail_code);
  EXPECT_EQ(faults.Plan(Bind()).before.fail_code, 503);
  EXPECT_FALSE(faults.Plan(Bind()).before.fail_code);
}

TEST(FaultInjector, TakesEffectBeforeOrAfter) {
  FaultInjector faults(1);
  faults.Add(Rule(R"({"action": "delay", "delayMilliseconds": 5})"));
  faults.Add(Rule(R"({"action": "delay", "delayMilliseconds": 7})"));
  faults.Add(Rule(R"({"action": "drop", "when": "after"})"));
  const FaultPlan plan = faults.Plan(Bind());
  EXPECT_EQ(plan.before.delay, std::chrono::milliseconds(12));
  EXPECT_FALSE(plan.before.drop);
  EXPECT_EQ(plan.after.delay, std::chrono::milliseconds(0));
  EXPECT_TRUE(plan.after.drop);
}

TEST(FaultInjector, SameSeedYieldsSameFaultsAfterClear) {
  const auto run = [](FaultInjector& faults) {
    faults.Add(Rule(R"({"action": "duplicate", "probability": 0.5})"));
    std::string hits;
    for (int i = 0; i < 64; ++i) hits += faults.Plan(Bind()).before.duplicate ? 'x' : '.';
    faults.Clear();
    return hits;
  };
  FaultInjector three(3), another_three(3), four(4);
  const std::string hits = run(three);
  EXPECT_EQ(run(another_three), hits);
  EXPECT_EQ(run(three), hits);
  EXPECT_NE(run(four), hits);
  EXPECT_NE(hits.find('x'), std::string::npos);
}

TEST(FaultRule, ErrorNamesValueAndAllowedValues) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "action: \"\"; allowed are fail, drop, delay, duplicate, stale"},
      {R"({"action": "explode"})", "action: \"explode\""},
      {R"({"action": "drop", "when": "now"})", "when: \"now\"; allowed are before, after"},
      {R"({"action": "fail", "verb": 7})", "verb"},
      {R"({"action": "fail", "code": 200})", "code: 200; allowed are 400 to 599"},
      {R"({"action": "delay", "delayMilliseconds": -1})", "delayMilliseconds: -1; allowed are 0"},
      {R"({"action": "fail", "probability": 2})", "probability: 2; allowed are 0 to 1"},
      {R"({"action": "fail", "time": 1})", "unknown field \"time\"; nearest: times"},
      {R"([])", "expected"},
  };
  for (const auto& [text, part] : cases) {
    const auto rejected = FaultRule::Parse(text);
    ASSERT_FALSE(rejected) << text;
    EXPECT_THAT(rejected.error().message(), HasSubstr(part));
  }
}

}  // namespace
}  // namespace berth::apiserver
