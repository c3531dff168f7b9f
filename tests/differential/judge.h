// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/differential/settings.h"

namespace berth::differential {

// Outcome holds the transcripts of both schedulers for a scenario (play.h).
struct Outcome {
  Result<Json> kube_scheduler, beside;
  std::string beside_is = "berth";  // name in the report
};

// Finding is the result of a comparison.
struct Finding {
  std::vector<std::string> lines;  // each difference once, at its first step; empty: equal
  std::set<std::string> known;     // ids of the deliberate differences that occurred
};

// Compares the outcomes with each other and with the scenario's expectations. Different choices
// that the scenario allows are not a difference.
Finding Compare(const Scenario& scenario, const Outcome& outcome, const Settings& settings);

// Report is the summary of a run.
struct Report {
  std::string text;  // the differences, and a table by area
  bool good = false;
};

// Also reports the deliberate differences that did not occur in their scenarios.
Report Summarize(const std::vector<Scenario>& scenarios, const std::vector<Finding>& findings,
                 const Settings& settings);

}  // namespace berth::differential
