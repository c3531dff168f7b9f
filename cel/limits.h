// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Size limits of single values. They complement the cost limits, because some operations create
// large values at low cost.
namespace berth::cel {

inline constexpr size_t kMaxTextBytes = size_t{16} << 20;
inline constexpr size_t kMaxListElements = 1'000'000;

// Maximum number of element pairs when two lists are compared. More would exceed the cost limit of
// any evaluation, but cost is only charged afterwards.
inline constexpr size_t kMaxPairs = 2'000'000;

}  // namespace berth::cel
