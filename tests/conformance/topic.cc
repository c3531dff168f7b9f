// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/topic.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/strings.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/run_fixture.h"

namespace berth::conformance {

namespace fs = std::filesystem;

Result<std::vector<TopicFile>> FindTopics(const fs::path& folder, const std::string& only) {
  std::error_code failed;
  std::vector<TopicFile> files;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".jsonl") {
      files.push_back({entry.path().stem().string(), entry.path()});
    }
  }
  if (failed) return ConfigError(folder.string() + ": " + failed.message());
  if (files.empty()) return ConfigError(folder.string() + ": no .jsonl files");
  std::sort(files.begin(), files.end(),
            [](const TopicFile& a, const TopicFile& b) { return a.topic < b.topic; });
  if (only.empty()) return files;

  std::vector<std::string> topics;
  for (const TopicFile& file : files) {
    if (file.topic == only) return std::vector<TopicFile>{file};
    topics.push_back(file.topic);
  }
  return ConfigError("no topic \"" + only + "\" in " + folder.string() +
                     NearestHint(NearestName(only, topics), "; allowed: " + Join(topics, ", ")));
}

Result<TopicResult> RunTopic(const TopicFile& file, const scheduler::Registry& registry,
                             ResultCacheMode mode, size_t show) {
  std::ifstream lines(file.path);
  if (!lines) return ConfigError(file.path.string() + ": cannot open the file");
  TopicResult result;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    auto fixture = ParseFixture(line);
    if (!fixture) {
      return Fail(fixture.error().With(file.path.string() + ":" + std::to_string(number)));
    }
    std::vector<std::string> differences = RunFixture(*fixture, registry, mode);
    if (differences.empty()) {
      ++result.passed;
      continue;
    }
    if (result.failed++ < show) {
      result.shown.push_back({fixture->name, std::move(differences)});
    }
  }
  if (lines.bad()) return ConfigError(file.path.string() + ": reading failed");
  return result;
}

}  // namespace berth::conformance
