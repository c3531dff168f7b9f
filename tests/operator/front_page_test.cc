// SPDX-License-Identifier: Apache-2.0 The claims of README.md that need no cluster: its profile,
// what kubectl prints of it, and figures.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "crds/manifest.h"
#include "tests/operator/berth.h"
#include "tests/support/documents/typed_command.h"

namespace berth::operator_ {
namespace {

// DifferentialSettings is the part of tests/differential/differences.yaml that a figure needs.
struct DifferentialSettings {
  std::vector<std::string> open_areas;

  static auto Fields() {
    return json::Object(json::Field("openAreas", &DifferentialSettings::open_areas));
  }
};

std::string Readme() { return ReadFile("README.md").value(); }

// Returns the first code block of the language.
std::string BlockIn(const std::string& page, const std::string& language) {
  std::string block;
  EXPECT_TRUE(RE2::PartialMatch(page, "(?s)```" + language + "\n(.*?)```", &block)) << language;
  return block;
}

// Returns the words of a line; two blanks or more separate them.
std::vector<std::string> Columns(const std::string& line) {
  std::string joined = line;
  RE2::GlobalReplace(&joined, "  +", "\t");
  std::vector<std::string> columns;
  for (const auto column : Split(joined, '\t')) columns.emplace_back(column);
  return columns;
}

TEST(FrontPage, ProfileIsValidAndHasTenLines) {
  const std::string profile = BlockIn(Readme(), "yaml");
  EXPECT_EQ(std::ranges::count(profile, '\n'), 10);
  const Answer answer = Berth({"validate", "-f", "-"}, profile);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "schedulerprofile/bin-packing is valid\n");
}

TEST(FrontPage, ShowsTheColumnsOfKubectlGet) {
  const auto commands = AllCommandsOf(Readme());
  ASSERT_FALSE(commands.empty());
  ASSERT_EQ(commands.front().line, "kubectl get sprof");
  ASSERT_EQ(commands.front().output.size(), 2U);
  const std::string manifest = ReadFile(std::string(crds::kManifestPath)).value();
  static const RE2 kColumns("(?s)additionalPrinterColumns:\n(.*?)\n    name: ");
  std::string columns;
  ASSERT_TRUE(RE2::PartialMatch(manifest, kColumns, &columns));
  std::vector<std::string> expected = {"name"};
  re2::StringPiece rest(columns);
  std::string name, priority;  // only `-o wide` prints a column with a priority
  while (RE2::FindAndConsume(&rest, "\n      name: (\\w+)\n(      priority)?", &name, &priority)) {
    if (priority.empty()) expected.push_back(ToLower(name));
  }
  ASSERT_GT(expected.size(), 5U);
  EXPECT_EQ(Columns(ToLower(commands.front().output[0])), expected);
  EXPECT_EQ(Columns(commands.front().output[1]).size(), expected.size());
}

TEST(FrontPage, CountsTheRenderedObjectsOfTheSmallestProfile) {
  const Answer rendered = Berth({"render", "-f", "samples/01-minimal/profile.yaml"});
  ASSERT_EQ(rendered.code, 0) << rendered.err;
  const auto objects = yaml::DocumentsToJson(rendered.out);
  ASSERT_TRUE(objects) << objects.error().message();
  const std::string claim = "becomes " + std::to_string(objects->size()) + " objects, " +
                            std::to_string(std::ranges::count(rendered.out, '\n')) + " lines";
  EXPECT_THAT(Readme(), testing::HasSubstr(claim));
}

TEST(FrontPage, CountsTheScenariosOfTheDifferentialTest) {
  // Those of areas under development may differ.
  const auto settings = yaml::ToJson(ReadFile("tests/differential/differences.yaml").value());
  ASSERT_TRUE(settings) << settings.error().message();
  const auto decoded = json::Decode<DifferentialSettings>(*settings);
  ASSERT_TRUE(decoded) << decoded.error().message();
  const std::vector<std::string>& open = decoded->open_areas;
  int scenarios = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator("tests/differential/scenarios")) {
    const std::string area = entry.path().parent_path().filename();
    const bool is_open = std::ranges::find(open, area) != open.end();
    if (entry.path().extension() == ".yaml" && !is_open) ++scenarios;
  }
  EXPECT_THAT(Readme(), testing::HasSubstr(std::to_string(scenarios) + " scenarios"));
}

}  // namespace
}  // namespace berth::operator_
