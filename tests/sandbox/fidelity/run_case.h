// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "tests/sandbox/fidelity/case.h"
#include "tests/sandbox/fidelity/exchange.h"

namespace berth::fidelity {

// Sends the steps of a case to a server, in a namespace of its own, and returns the normalized
// responses in their recorded form: a list with one per step. Errors: no response, an unknown
// variable, a step with an unmet `until`.
Result<Json> RunCase(const Connection& connection, const Script& script);

}  // namespace berth::fidelity
