// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/case.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::fidelity {
namespace {

using ::testing::HasSubstr;

constexpr const char* kWritten = R"(# why this case is there
summary: an object is read
accounts: {one: {rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}}
steps:
- send: GET /api/v1/pods?limit=1
  as: one
  see: [items]
- send: POST /api/v1/namespaces/${ns}/pods
  body: {metadata: {name: a}}
)";

std::string ErrorOf(const std::string& text) {
  const auto made = ParseCase(text);
  return made ? "" : made.error().message();
}

TEST(Case, HasStepsAndNoAnswersBeforeRecording) {
  const auto made = ParseCase(kWritten);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->script.steps.size(), 2U);
  EXPECT_EQ(made->script.steps[0].as, "one");
  EXPECT_EQ(made->script.steps[0].see->size(), 1U);
  EXPECT_FALSE(made->script.steps[1].see);
  EXPECT_EQ(made->script.steps[1].body.text, R"({"metadata":{"name":"a"}})");
  EXPECT_TRUE(made->recorded.is_null());
}

TEST(Case, RecordingKeepsTheHandWrittenPart) {
  const Json first = {{{"code", 200}}, {{"code", 201}}};
  const Json second = {{{"code", 403}}, {{"code", 404}}};
  const std::string once = WithRecording(kWritten, first);
  const std::string twice = WithRecording(once, second);
  EXPECT_TRUE(twice.starts_with(kWritten));
  EXPECT_EQ(WithRecording(twice, first), once);
  const auto made = ParseCase(twice);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->recorded, second);
}

TEST(Case, RejectsInvalidSteps) {
  EXPECT_THAT(ErrorOf("steps: [{send: GET /x}]"), HasSubstr("summary"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: []"), HasSubstr("steps"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: [{send: /x}]"), HasSubstr("steps[0]: send"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: [{send: GET /x, as: two}]"), HasSubstr("steps[0]: as"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: [{send: GET /x, boddy: {}}]"), HasSubstr("boddy"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: [{send: GET /x, body: {}, text: x}]"),
              HasSubstr("exclude"));
  EXPECT_THAT(ErrorOf("summary: s\nsteps: [{send: GET /x}]\n---\n[]"),
              HasSubstr("1 steps, but 0 recorded"));
}

TEST(ReadCases, FindsEveryCaseWithItsRecording) {
  const auto cases = ReadCases("tests/sandbox/fidelity/cases", "");
  ASSERT_TRUE(cases) << cases.error().message();
  EXPECT_GE(cases->size(), 200U);
  for (const Case& test : *cases) {
    EXPECT_FALSE(test.recorded.is_null()) << test.name << " has no recorded answers";
    EXPECT_THAT(test.name, HasSubstr("/"));
  }
}

TEST(ReadCases, FiltersByName) {
  const auto cases = ReadCases("tests/sandbox/fidelity/cases", "binding/");
  ASSERT_TRUE(cases) << cases.error().message();
  ASSERT_FALSE(cases->empty());
  for (const Case& test : *cases) EXPECT_THAT(test.name, HasSubstr("binding/"));
}

}  // namespace
}  // namespace berth::fidelity
