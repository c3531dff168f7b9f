// SPDX-License-Identifier: Apache-2.0
// conformance compares the core's results with recorded results of kube-scheduler.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <string>

#include "base/check.h"
#include "base/flags.h"
#include "scheduler/plugins/registry.h"
#include "tests/conformance/reuse_mode.h"
#include "tests/conformance/topic.h"

namespace {

using namespace berth;

// ctest reports this exit code as a skipped test.
constexpr int kExitSkipped = 77;

struct Options {
  std::string folder;
  std::string topic;
  std::string result_cache = "cold";
  uint64_t first = 0;
  bool verbose = false;
  bool optional = false;
};

int Fail(const std::string& message) {
  std::cerr << "conformance: " << message << "\n";
  return 1;
}

// Requires: the command line has validated the name.
conformance::ResultCacheMode ModeOf(const std::string& name) {
  const auto* found = std::ranges::find(conformance::kResultCacheModes, name,
                                        &conformance::NamedResultCacheMode::name);
  BERTH_CHECK(found != conformance::kResultCacheModes.end(), "--reuse takes off, cold or warm");
  return found->mode;
}

void Print(const std::string& topic, const conformance::TopicResult& result) {
  std::cout << topic << ": " << result.passed << " passed, " << result.failed << " failed\n";
  for (const conformance::FailedCase& failed : result.shown) {
    std::cout << "  " << failed.name << "\n";
    for (const std::string& difference : failed.differences) {
      std::cout << "    " << difference << "\n";
    }
  }
}

int Run(const Options& options) {
  if (options.optional && !std::filesystem::is_directory(options.folder)) {
    std::cout << "skipped: no such folder: " << options.folder << "\n";
    return kExitSkipped;
  }
  const auto files = conformance::FindTopics(options.folder, options.topic);
  if (!files) return Fail(files.error().message());

  const scheduler::Registry registry = scheduler::MakeRegistry();
  const size_t show = options.verbose ? std::numeric_limits<size_t>::max() : options.first;
  size_t passed = 0;
  size_t failed = 0;
  bool is_any_empty = false;
  std::cout << "reuse: " << options.result_cache << "\n";
  for (const conformance::TopicFile& file : *files) {
    const auto result = conformance::RunTopic(file, registry, ModeOf(options.result_cache), show);
    if (!result) return Fail(result.error().message());
    Print(file.topic, *result);
    passed += result->passed;
    failed += result->failed;
    if (result->passed + result->failed > 0) continue;
    std::cerr << "conformance: topic " << file.topic << " has no cases\n";
    is_any_empty = true;
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && !is_any_empty ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const Reading reading = ReadFlags(
      {.name = "conformance",
       .help = "Compares Berth's scheduling core with recorded answers of kube-scheduler. "
               "Exits 1 when a case fails.",
       .flags = {{.name = "--dir",
                  .target = &options.folder,
                  .help = "Folder with one file of cases per topic (NAME.jsonl)",
                  .required = true},
                 {.name = "--topic", .target = &options.topic, .help = "Run only this topic"},
                 {.name = "--reuse",
                  .target = &options.result_cache,
                  .help = "Mode of the result cache: off, disabled; cold, filled by the "
                          "case's own pods; warm, also filled by unrelated pods",
                  .one_of = {"off", "cold", "warm"}},
                 {.name = "--first",
                  .target = &options.first,
                  .help = "Show the differences of the first N failed cases of a topic"},
                 {.name = "--verbose",
                  .target = &options.verbose,
                  .help = "Show the differences of all failed cases"},
                 {.name = "--optional",
                  .target = &options.optional,
                  .help = "Exit 77 if the folder does not exist"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  return Run(options);
}
