// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scheduler/framework/registry.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/reuse_mode.h"

namespace berth::conformance {

// Compare names each field in which our answer is not the expected one, with both, one sentence
// each. Every field counts, also one that only we give.
std::vector<std::string> Compare(const nlohmann::json& expected, const nlohmann::json& answer);

// RunFixture gives the differences of a whole case; none means that it passed.
std::vector<std::string> RunFixture(const Fixture& fixture, const scheduler::Registry& registry,
                                    ResultCacheMode mode);

}  // namespace berth::conformance
