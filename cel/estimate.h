// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "cel/program.h"

namespace berth::cel {

// Sizes that the estimate assumes.
inline constexpr uint64_t kAssumedElements = 64;    // per list or map
inline constexpr uint64_t kAssumedCharacters = 64;  // per string

// Returns the estimated cost of an evaluation in cost units. Every branch is counted and
// collections have the assumed size. Not an upper bound: longer lists cost more; the Budget limits
// the real cost.
uint64_t EstimateCost(const Expr& expr);

// Rejects (kInvalid) an expression with an estimate above the limit. The error points to the
// innermost part above the limit.
Result<void> RejectCostly(std::string_view text, const Program& program, uint64_t limit);

}  // namespace berth::cel
