// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "tests/sandbox/fidelity/case.h"
#include "tests/sandbox/fidelity/exchange.h"

namespace berth::fidelity {

// RunCase sends the steps of a case to a server, in a namespace of its own, and gives the answers,
// normalised, as they are recorded: a list with one a step. Errors: no answer, a variable that
// names nothing, a step whose `until` never came.
Result<Json> RunCase(const Connection& connection, const Script& script);

}  // namespace berth::fidelity
