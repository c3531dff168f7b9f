// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/framework/registry.h"
#include "tests/conformance/reuse_mode.h"

namespace berth::conformance {

// TopicFile is one file of fixtures; its topic is the file name without .jsonl.
struct TopicFile {
  std::string topic;
  std::filesystem::path path;
};

// Lists the fixture files of a folder, sorted by name. `only` selects one topic; an unknown topic
// is an error with the nearest name.
Result<std::vector<TopicFile>> FindTopics(const std::filesystem::path& folder,
                                          const std::string& only);

struct FailedCase {
  std::string name;
  std::vector<std::string> differences;
};

struct TopicResult {
  size_t passed = 0;
  size_t failed = 0;
  std::vector<FailedCase> shown;  // the first failed cases
};

// Runs all cases of a file, one line at a time, and keeps the first `show` failures. An unreadable
// file is an error.
Result<TopicResult> RunTopic(const TopicFile& file, const scheduler::Registry& registry,
                             ResultCacheMode mode, size_t show);

}  // namespace berth::conformance
