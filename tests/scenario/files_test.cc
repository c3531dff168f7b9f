// SPDX-License-Identifier: Apache-2.0
// Runs every scenario of tests/scenarios four times: against its expectations, again for the same
// transcript, without the result cache, and with other uids.
#include <cctype>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "scenario/load.h"
#include "scenario/parse.h"
#include "scenario/run.h"

namespace berth::scenario {
namespace {

using ::testing::IsEmpty;

constexpr std::string_view kFolder = "tests/scenarios";

class ScenarioFile : public ::testing::TestWithParam<std::string> {};

TEST_P(ScenarioFile, RunsAsExpected) {
  auto scenario = LoadFile(GetParam());
  ASSERT_TRUE(scenario) << scenario.error().message();

  const auto result = RunScenario(*scenario);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(result->differences, IsEmpty()) << "transcript:\n" << result->transcript;

  const auto again = RunScenario(*scenario);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->transcript, result->transcript) << "two runs differ";

  const auto computed = RunScenario(*scenario, {.result_cache_bytes = 0});
  ASSERT_TRUE(computed) << computed.error().message();
  EXPECT_EQ(computed->transcript, result->transcript) << "the result cache changes the run";

  ++scenario->seed;
  const auto reseeded = RunScenario(*scenario);
  ASSERT_TRUE(reseeded) << reseeded.error().message();
  EXPECT_THAT(reseeded->differences, IsEmpty()) << "with other uids";
}

// Example: "tests/scenarios/taints/no_execute.yaml" is the test taints_no_execute.
std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  const auto path = std::filesystem::path(info.param).lexically_relative(kFolder);
  std::string name = path.parent_path().string() + "_" + path.stem().string();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ScenarioFile, ::testing::ValuesIn(ListFiles(std::string(kFolder))),
                         TestName);

TEST(ScenarioFiles, ReadmeExampleRunsAsExpected) {
  const auto readme = ReadFile(std::string(kFolder) + "/README.md");
  ASSERT_TRUE(readme) << readme.error().message();
  constexpr std::string_view kFence = "```yaml\n";
  const size_t begin = readme->find(kFence);
  ASSERT_NE(begin, readme->npos);
  const size_t end = readme->find("```", begin + kFence.size());
  const auto scenario =
      Parse(readme->substr(begin + kFence.size(), end - begin - kFence.size()), "README.md");
  ASSERT_TRUE(scenario) << scenario.error().message();
  const auto result = RunScenario(*scenario);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(result->differences, IsEmpty()) << "transcript:\n" << result->transcript;
}

TEST(ScenarioFiles, AreListedFromTheRepositoryRoot) {
  EXPECT_GE(ListFiles(std::string(kFolder)).size(), 60u);
}

}  // namespace
}  // namespace berth::scenario
