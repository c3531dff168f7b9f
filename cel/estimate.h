// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "cel/program.h"

namespace berth::cel {

// What an estimate takes of what is known at evaluation only.
inline constexpr uint64_t kAssumedElements = 64;    // of a list or a map
inline constexpr uint64_t kAssumedCharacters = 64;  // of a text

// EstimateCost says about what an evaluation may cost, in the units of its price, with every branch
// taken and collections of the size assumed. No bound: a longer list costs more, which a Budget
// sees.
uint64_t EstimateCost(const Expr& expr);

// RejectCostly refuses (kInvalid) an expression whose estimate is beyond the limit, and points at
// the innermost part that is.
Result<void> RejectCostly(std::string_view text, const Program& program, uint64_t limit);

}  // namespace berth::cel
