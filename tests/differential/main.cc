// SPDX-License-Identifier: Apache-2.0
// differential has kube-scheduler and Berth do the same scenarios, each on a real control plane, and
// compares what they leave on the pods.
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
  if (scenarios.empty()) return ConfigError("no scenario is named so");
  if (options.itself) settings = {};  // nothing is deliberate then
  const ComparedWith beside = options.itself ? ComparedWith::kItself : ComparedWith::kBerth;
  BERTH_TRY(const Run run, RunAll(scenarios, settings, beside, options.output));
  const Report report = Summarize(scenarios, run.findings, settings);
  std::cout << report.text;
  for (const auto& [title, first] : run.again) {
    std::cout << title << ": equal at the second try; at the first " << Join(first, "; ") << "\n";
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
       .help = "Compares what kube-scheduler and Berth make of the same scenarios.",
       .flags = {{.name = "--scenarios", .target = &options.folder, .help = "Folder of scenarios"},
                 {.name = "--differences",
                  .target = &options.settings,
                  .help = "File of deliberate differences"},
                 {.name = "--output",
                  .target = &options.output,
                  .help = "Folder for logs, and for what was seen"},
                 {.name = "--filter",
                  .target = &options.filters,
                  .help = "Only scenarios whose AREA/NAME contains this text; may be repeated"},
                 {.name = "--itself",
                  .target = &options.itself,
                  .help = "Compare kube-scheduler with another run of itself"},
                 {.name = "--ci",
                  .target = &options.ci,
                  .help = "Only the fixed part that is marked for CI"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const auto good = Main(options);
  if (!good) std::cerr << "differential: " << good.error().message() << "\n";
  return good && *good ? 0 : 1;
}
