// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/sandbox/fidelity/case.h"
#include "tests/sandbox/fidelity/deviations.h"
#include "tests/sandbox/fidelity/exchange.h"

namespace berth::fidelity {

// Outcome is what one server made of one case.
struct Outcome {
  Json answers;                     // null when it could not be run
  std::vector<std::string> faults;  // from the recording, or why it could not be run
};

// RunAll runs cases beside each other, `jobs` at a time, and compares each with its recording. The
// outcomes are in the order of the cases.
std::vector<Outcome> RunAll(const Connection& connection, const std::vector<Case>& cases, int jobs);

// Verdict is what is to be said of a server in the end.
struct Verdict {
  size_t passed = 0, known = 0;
  std::vector<std::string> failures;  // a line for each fault; empty: the run is good
};

// Judge counts outcomes. A fault of a case with a known deviation is accepted; a deviation whose
// case passes, or does not exist (unless the run is `partial`), is a failure.
enum class Scope { kWhole, kPartial };
Verdict Judge(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes,
              const Deviations& deviations, Scope scope);

// Record writes the answers of one server into the files of the cases that could be run; the error
// names the others.
Result<void> Record(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes);

}  // namespace berth::fidelity
