// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "scenario/scenario.h"

namespace berth::scenario {

// Reads a scenario from YAML. Strict: an unknown field is an error. Errors (kConfig) begin with
// `source` and name the field path, the value found, the allowed values and the nearest name:
// `a.yaml: steps[2]: unknown field "expect.placment"; nearest: placements`. Pure.
Result<Scenario> Parse(std::string_view yaml, std::string_view source);

}  // namespace berth::scenario
