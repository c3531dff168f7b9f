// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/sandbox/fidelity/case.h"
#include "tests/sandbox/fidelity/deviations.h"
#include "tests/sandbox/fidelity/exchange.h"

namespace berth::fidelity {

// Outcome is the result of one case on one server.
struct Outcome {
  Json answers;                     // null if it could not be run
  std::vector<std::string> faults;  // differences from the recording, or why it could not be run
};

// Runs cases in parallel, `jobs` at a time, and compares each with its recording. The outcomes are
// in the order of the cases.
std::vector<Outcome> RunAll(const Connection& connection, const std::vector<Case>& cases, int jobs);

// Verdict is the summary of a server's outcomes.
struct Verdict {
  size_t passed = 0, known = 0;
  std::vector<std::string> failures;  // one line per fault; empty: success
};

// Counts outcomes. A fault of a case with a known deviation is accepted. A deviation is a failure
// if its case passes or does not exist (unless the run is `partial`).
enum class Scope { kWhole, kPartial };
Verdict Judge(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes,
              const Deviations& deviations, Scope scope);

// Writes the responses of one server into the files of the cases that could be run; the error names
// the other cases.
Result<void> Record(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes);

}  // namespace berth::fidelity
