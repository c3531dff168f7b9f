// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/differential/settings.h"

namespace berth::differential {

// Outcome is what each of the two made of a scenario (play.h).
struct Outcome {
  Result<Json> kube_scheduler, beside;
  std::string beside_is = "berth";  // in the words of the report
};

// Finding is what is to be said of a scenario.
struct Finding {
  std::vector<std::string> lines;  // each difference once, where it begins; empty: they are equal
  std::set<std::string> known;     // ids of the deliberate differences that it shows
};

// Compare says where the outcomes differ, and where one is not as the scenario expects. A choice
// that the scenario leaves open is no difference.
Finding Compare(const Scenario& scenario, const Outcome& outcome, const Settings& settings);

// Report is the end of a run.
struct Report {
  std::string text;  // what differs, and a table by area
  bool good = false;
};

// Summarize also says which deliberate differences of these scenarios were not to be seen.
Report Summarize(const std::vector<Scenario>& scenarios, const std::vector<Finding>& findings,
                 const Settings& settings);

}  // namespace berth::differential
