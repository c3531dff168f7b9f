// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What one value may hold at most, beside the cost: some operations make much for little cost.
namespace berth::cel {

inline constexpr size_t kMaxTextBytes = size_t{16} << 20;
inline constexpr size_t kMaxListElements = 1'000'000;

// How many elements two lists may have to compare with each other. More costs more than any
// evaluation may, but is paid for only when it is done.
inline constexpr size_t kMaxPairs = 2'000'000;

}  // namespace berth::cel
