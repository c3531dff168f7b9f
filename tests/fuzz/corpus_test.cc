// SPDX-License-Identifier: Apache-2.0
// Passes every file of the corpora to its target, with any compiler, as regression tests of earlier
// findings.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpora = "tests/fuzz/corpus";

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, HandlesWholeAndTruncatedInputs) {
  const fs::path folder = kCorpora / GetParam().name;
  ASSERT_TRUE(fs::exists(folder));
  for (const std::string& name : NamesIn(folder)) {
    const auto input = ReadFile((folder / name).string());
    ASSERT_TRUE(input.has_value()) << name;
    std::cout << name << std::endl;  // the last name printed is the input that crashed
    for (const size_t parts : {1, 2, 3}) {
      GetParam().run(std::string_view(*input).substr(0, input->size() / parts));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(Targets().begin(), Targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(Corpora, HaveATarget) {
  std::vector<std::string> names;
  for (const Target& target : Targets()) names.emplace_back(target.name);
  EXPECT_EQ(NamesIn(kCorpora), names);
}

}  // namespace
}  // namespace berth::fuzz
