// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/suite.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/file.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "tests/sandbox/fidelity/run_case.h"
#include "tests/support/json/differences.h"

namespace berth::fidelity {
namespace {

Outcome RunOne(const Connection& connection, const Case& test) {
  auto answers = RunCase(connection, test.script);
  if (!answers) return {.answers = nullptr, .faults = {answers.error().message()}};
  Outcome outcome{.answers = std::move(*answers), .faults = {}};
  if (test.recorded.is_null()) {
    outcome.faults = {"has no recorded answers yet"};
  } else {
    outcome.faults = json::Differences(test.recorded, outcome.answers, "steps");
  }
  return outcome;
}

// Adds a failure for each deviation without a case.
void AddStrayDeviations(const std::vector<Case>& cases, const Deviations& deviations,
                        std::vector<std::string>& failures) {
  std::vector<std::string> names;
  names.reserve(cases.size());
  for (const Case& test : cases) names.push_back(test.name);
  for (const auto& [name, why] : deviations) {
    if (std::ranges::find(names, name) != names.end()) continue;
    failures.push_back("the deviation \"" + name + "\" names no case" +
                       NearestHint(NearestName(name, names)));
  }
}

}  // namespace

std::vector<Outcome> RunAll(const Connection& connection, const std::vector<Case>& cases,
                            int jobs) {
  std::vector<Outcome> outcomes(cases.size());
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<size_t>(jobs));
  for (int i = 0; i < jobs; ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < cases.size(); at = next++) {
        outcomes[at] = RunOne(connection, cases[at]);
      }
    });
  }
  threads.clear();  // waits for them
  return outcomes;
}

Verdict Judge(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes,
              const Deviations& deviations, Scope scope) {
  Verdict verdict;
  for (size_t i = 0; i < cases.size(); ++i) {
    const bool listed = deviations.contains(cases[i].name);
    const std::string prefix = cases[i].name + ": ";
    if (outcomes[i].faults.empty()) {
      ++verdict.passed;
      if (listed) verdict.failures.push_back(prefix + "is listed as a deviation, but passes");
    } else if (listed) {
      ++verdict.known;
    } else {
      for (const std::string& fault : outcomes[i].faults) {
        verdict.failures.push_back(prefix);
        verdict.failures.back() += fault;
      }
    }
  }
  if (scope == Scope::kWhole) AddStrayDeviations(cases, deviations, verdict.failures);
  return verdict;
}

Result<void> Record(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> failures;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (outcomes[i].answers.is_null()) {
      failures.push_back(cases[i].name + ": " + outcomes[i].faults.front());
      continue;
    }
    BERTH_TRY(const std::string text, ReadFile(cases[i].file.string()));
    BERTH_TRY_VOID(WriteFile(cases[i].file.string(), WithRecording(text, outcomes[i].answers)));
  }
  if (failures.empty()) return {};
  return ConfigError("not recorded:\n" + Join(failures, "\n"));
}

}  // namespace berth::fidelity
