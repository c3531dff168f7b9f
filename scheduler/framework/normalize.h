// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace berth::scheduler {

// The normalisers a plugin may declare (interface.h). They turn raw scores into 0..100 in place.
// Source: kube-scheduler-plugins 3.6, 4.12.

// NormalizeByMax scales by the highest score, which counts as at least 0. With `reversed` the
// lowest score is the best. All zero: reversed gives 100 to everyone, else nothing changes.
// Divisions truncate.
enum class Direction : uint8_t { kHighestIsBest, kLowestIsBest };
void NormalizeByMax(std::span<int64_t> scores, Direction direction);

// NormalizeByRange scales between the lowest and the highest score; all equal gives 0. In doubles,
// truncated.
void NormalizeByRange(std::span<int64_t> scores);

}  // namespace berth::scheduler
