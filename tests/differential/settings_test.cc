// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/integration/harness/control_plane.h"

namespace berth::differential {
namespace {

using ::testing::HasSubstr;

class SettingsFile : public ::testing::Test {
 protected:
  Result<Settings> Read(const std::string& text) {
    const auto file = folder_.path() / "differences.yaml";
    EXPECT_TRUE(WriteFile(file, text));
    return ReadSettings(file, {{.area = "area", .name = "one"}, {.area = "open", .name = "two"}});
  }

  std::string ErrorIn(const std::string& text) {
    const auto settings = Read(text);
    return settings ? "" : settings.error().message();
  }

  const integration::TemporaryFolder folder_;
};

TEST_F(SettingsFile, RequiresScenariosOrAReasonPerDifference) {
  const std::string begin = "differences: [{id: a, what: w, why: so it is";
  EXPECT_EQ(ErrorIn(begin + ", where: x, scenarios: [area/one]}]"), "");
  EXPECT_EQ(ErrorIn(begin + ", unseen: because}]"), "");
  EXPECT_THAT(ErrorIn(begin + "}]"), HasSubstr("or unseen with the reason"));
  EXPECT_THAT(ErrorIn(begin + ", where: x, scenarios: [area/on]}]"),
              HasSubstr("unknown scenario area/on; nearest: area/one"));
  EXPECT_THAT(ErrorIn(begin + ", where: '(', scenarios: [area/one]}]"),
              HasSubstr("difference \"a\""));
}

TEST(Profiles, HaveDefaultCanaryAndScenarioProfiles) {
  const Json profiles =
      Profiles({{.area = "area", .name = "plain"},
                {.area = "area", .name = "one", .profile = {{"percentageOfNodesToScore", 5}}}});
  ASSERT_EQ(profiles.size(), 3U);
  EXPECT_EQ(profiles[0], Json({{"schedulerName", "default-scheduler"}}));
  EXPECT_EQ(profiles[1]["schedulerName"], "canary");
  EXPECT_EQ(profiles[2], Json({{"schedulerName", "area-one"}, {"percentageOfNodesToScore", 5}}));
}

TEST(Differences, RepositoryDifferencesAreValid) {
  const auto scenarios = ReadScenarios("tests/differential/scenarios");
  ASSERT_TRUE(scenarios) << scenarios.error().message();
  const auto settings = ReadSettings("tests/differential/differences.yaml", *scenarios);
  EXPECT_TRUE(settings) << settings.error().message();
}

}  // namespace
}  // namespace berth::differential
