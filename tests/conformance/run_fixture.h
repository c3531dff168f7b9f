// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scheduler/framework/registry.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/reuse_mode.h"

namespace berth::conformance {

// Returns one sentence for each field that differs from the expected one, with both values. Fields
// that only one side has are differences too.
std::vector<std::string> Compare(const nlohmann::json& expected, const nlohmann::json& answer);

// Returns the differences of a whole case; the case passed if there are none.
std::vector<std::string> RunFixture(const Fixture& fixture, const scheduler::Registry& registry,
                                    ResultCacheMode mode);

}  // namespace berth::conformance
