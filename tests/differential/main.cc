// SPDX-License-Identifier: Apache-2.0
// differential runs the same scenarios with kube-scheduler and Berth, each on a real control plane,
// and compares their effects on the pods.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/flags.h"
#include "base/strings.h"
#include "tests/differential/run.h"

namespace {

using namespace berth;
using namespace berth::differential;

struct Options {
  std::string folder = "tests/differential/scenarios";
  std::string settings = "tests/differential/differences.yaml";
  std::string output = "build/differential";
  std::vector<std::string> filters;
  bool ci = false;
  bool itself = false;
};

bool IsWanted(const Scenario& scenario, const Options& options) {
  const auto names = [&](const std::string& filter) {
    return scenario.title().find(filter) != std::string::npos;
  };
  if (options.ci && !scenario.ci) return false;
  return options.filters.empty() || std::ranges::any_of(options.filters, names);
}

Result<bool> Main(const Options& options) {
  const auto began = std::chrono::steady_clock::now();
  BERTH_TRY(std::vector<Scenario> scenarios, ReadScenarios(options.folder));
  BERTH_TRY(Settings settings, ReadSettings(options.settings, scenarios));
  std::erase_if(scenarios, [&](const Scenario& one) { return !IsWanted(one, options); });
  if (scenarios.empty()) return ConfigError("no scenario matches");
  if (options.itself) settings = {};  // kube-scheduler has no deliberate differences from itself
  const ComparedWith beside = options.itself ? ComparedWith::kItself : ComparedWith::kBerth;
  BERTH_TRY(const Run run, RunAll(scenarios, settings, beside, options.output));
  const Report report = Summarize(scenarios, run.findings, settings);
  std::cout << report.text;
  for (const auto& [title, first] : run.again) {
    std::cout << title
              << ": equal at the second try; differences of the first try: " << Join(first, "; ")
              << "\n";
  }
  const auto took = std::chrono::steady_clock::now() - began;
  std::cout << fmt::format("differential: {} scenarios {}, in {} s\n", scenarios.size(),
                           report.good ? "passed" : "FAILED",
                           std::chrono::duration_cast<std::chrono::seconds>(took).count());
  return report.good;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const Reading reading = ReadFlags(
      {.name = "differential",
       .help = "Compares the results of kube-scheduler and Berth for the same scenarios.",
       .flags =
           {{.name = "--scenarios", .target = &options.folder, .help = "Folder of the scenarios"},
            {.name = "--differences",
             .target = &options.settings,
             .help = "File of deliberate differences"},
            {.name = "--output",
             .target = &options.output,
             .help = "Folder for logs and transcripts"},
            {.name = "--filter",
             .target = &options.filters,
             .help = "Only scenarios with this text in AREA/NAME; may be repeated"},
            {.name = "--itself",
             .target = &options.itself,
             .help = "Compare kube-scheduler with another run of itself"},
            {.name = "--ci", .target = &options.ci, .help = "Only the scenarios marked for CI"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const auto good = Main(options);
  if (!good) std::cerr << "differential: " << good.error().message() << "\n";
  return good && *good ? 0 : 1;
}
