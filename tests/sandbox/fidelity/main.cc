// SPDX-License-Identifier: Apache-2.0
// fidelity sends requests to API servers and compares the responses with recorded ones of a real
// kube-apiserver, and with each other.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/flags.h"
#include "tests/sandbox/fidelity/deviations.h"
#include "tests/sandbox/fidelity/server.h"
#include "tests/sandbox/fidelity/suite.h"

namespace {

using namespace berth;
using namespace berth::fidelity;

struct Options {
  std::string folder = "tests/sandbox/fidelity/cases";
  std::string filter;
  std::string deviations;
  std::vector<std::string> kubeconfigs;
  int jobs = 8;
  bool real = false;
  bool memory = false;
  bool record = false;
};

struct Target {
  std::string name;
  std::unique_ptr<Server> server;
  Deviations deviations;  // empty for the real server
  std::vector<Outcome> outcomes = {};
};

Result<std::vector<Target>> Targets(const Options& options) {
  Deviations deviations;
  if (!options.deviations.empty()) {
    BERTH_TRY(const std::string text, ReadFile(options.deviations));
    BERTH_TRY(deviations, ParseDeviations(text));
  }
  std::vector<Target> targets;
  if (options.real) {
    BERTH_TRY(auto server, StartReal());
    targets.push_back({"real", std::move(server), {}});
  }
  if (options.memory) {
    BERTH_TRY(auto server, StartInMemory());
    targets.push_back({"in memory", std::move(server), deviations});
  }
  for (const std::string& file : options.kubeconfigs) {
    targets.push_back({file, UseRunning(file), deviations});
  }
  if (targets.empty()) return ConfigError("name a server: --real, --memory or --kubeconfig FILE");
  if (options.record && targets.size() > 1) return ConfigError("--record takes one server");
  return targets;
}

// Prints the result of one server; returns false if there are failures.
bool Report(const Target& target, const std::vector<Case>& cases, Scope scope) {
  const Verdict verdict = Judge(cases, target.outcomes, target.deviations, scope);
  for (const std::string& failure : verdict.failures) std::cout << failure << "\n";
  std::cout << target.name << ": " << cases.size() << " cases, " << verdict.passed << " passed, "
            << verdict.known << " known deviations, "
            << cases.size() - verdict.passed - verdict.known << " failed\n";
  return verdict.failures.empty();
}

// Prints where the responses of two servers differ, except for known deviations.
bool CompareServers(const Target& one, const Target& other, const std::vector<Case>& cases) {
  size_t equal = 0, known = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string& name = cases[i].name;
    if (one.outcomes[i].answers == other.outcomes[i].answers) {
      ++equal;
    } else if (one.deviations.contains(name) || other.deviations.contains(name)) {
      ++known;
    } else {
      std::cout << name << ": " << one.name << " and " << other.name << " differ\n";
    }
  }
  std::cout << one.name << " and " << other.name << ": " << equal << " equal, " << known
            << " known deviations, " << cases.size() - equal - known << " differ\n";
  return equal + known == cases.size();
}

Result<bool> Run(const Options& options) {
  BERTH_TRY(const std::vector<Case> cases, ReadCases(options.folder, options.filter));
  if (cases.empty()) return ConfigError("no case name contains \"" + options.filter + "\"");
  BERTH_TRY(std::vector<Target> targets, Targets(options));
  for (Target& target : targets) {
    BERTH_TRY(const auto connection, Connection::Open(target.server->kubeconfig()));
    target.outcomes = RunAll(*connection, cases, options.jobs);
  }
  if (options.record) {
    BERTH_TRY_VOID(Record(cases, targets[0].outcomes));
    std::cout << "recorded " << cases.size() << " cases\n";
    return true;
  }
  bool good = true;
  const Scope scope = options.filter.empty() ? Scope::kWhole : Scope::kPartial;
  for (const Target& target : targets) good = Report(target, cases, scope) && good;
  for (size_t i = 1; i < targets.size(); ++i) {
    good = CompareServers(targets[0], targets[i], cases) && good;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const Reading reading = ReadFlags(
      {.name = "fidelity",
       .help = "Compares the answers of API servers with those of a real kube-apiserver.",
       .flags = {{.name = "--cases", .target = &options.folder, .help = "Folder of cases"},
                 {.name = "--filter",
                  .target = &options.filter,
                  .help = "Run only cases with this text in their name"},
                 {.name = "--kubeconfig",
                  .target = &options.kubeconfigs,
                  .help = "Kubeconfig of a running server; may be repeated"},
                 {.name = "--real",
                  .target = &options.real,
                  .help = "Start the pinned kube-apiserver ($BERTH_CONTROLPLANE)"},
                 {.name = "--memory",
                  .target = &options.memory,
                  .help = "Start `berth-sandbox apiserver` ($BERTH_BINARY_DIR)"},
                 {.name = "--deviations",
                  .target = &options.deviations,
                  .help = "Markdown file that lists cases in which all servers but the real one "
                          "differ"},
                 {.name = "--record",
                  .target = &options.record,
                  .help = "Write the answers into the cases as the expected ones"},
                 {.name = "--jobs",
                  .target = &options.jobs,
                  .help = "Number of cases to run in parallel",
                  .range = {{1, 16}}}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const auto good = Run(options);
  if (!good) std::cerr << "fidelity: " << good.error().message() << "\n";
  return good && *good ? 0 : 1;
}
