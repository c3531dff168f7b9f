// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/normalize.h"

#include <algorithm>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

void NormalizeByMax(std::span<int64_t> scores, Direction direction) {
  int64_t highest = 0;
  for (const int64_t score : scores) highest = std::max(highest, score);
  const bool reversed = direction == Direction::kLowestIsBest;
  if (highest == 0) {
    if (reversed) std::fill(scores.begin(), scores.end(), kMaxNodeScore);
    return;
  }
  for (int64_t& score : scores) {
    score = kMaxNodeScore * score / highest;
    if (reversed) score = kMaxNodeScore - score;
  }
}

void NormalizeByRange(std::span<int64_t> scores) {
  if (scores.empty()) return;
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  const int64_t lowest = *low;
  const auto range = static_cast<double>(*high - lowest);
  for (int64_t& score : scores) {
    score = range > 0 ? static_cast<int64_t>(static_cast<double>(kMaxNodeScore) *
                                             (static_cast<double>(score - lowest) / range))
                      : 0;
  }
}

}  // namespace berth::scheduler
