// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/sum_levels.h"

#include <algorithm>

namespace berth::scheduler {

SumLevels::SumLevels(std::vector<uint32_t> sums) : domains_(sums.size()) {
  std::ranges::sort(sums);
  for (const uint32_t sum : sums) {
    if (levels_.empty() || levels_.back().sum != sum) levels_.push_back({sum, 0});
    ++levels_.back().domains;
  }
}

std::vector<SumLevels::Level>::iterator SumLevels::Find(uint32_t sum) {
  return std::lower_bound(levels_.begin(), levels_.end(), sum,
                          [](const Level& level, uint32_t other) { return level.sum < other; });
}

void SumLevels::Add(uint32_t sum) {
  ++domains_;
  const auto level = Find(sum);
  if (level != levels_.end() && level->sum == sum) {
    ++level->domains;
  } else {
    levels_.insert(level, {sum, 1});
  }
}

void SumLevels::Remove(uint32_t sum) {
  --domains_;
  const auto level = Find(sum);
  if (--level->domains == 0) levels_.erase(level);
}

void SumLevels::Raise(uint32_t sum) {
  const auto level = Find(sum);
  const auto next = level + 1;
  if (next != levels_.end() && next->sum == sum + 1) {
    ++next->domains;
    if (--level->domains == 0) levels_.erase(level);
  } else if (level->domains == 1) {
    ++level->sum;
  } else {
    --level->domains;
    levels_.insert(next, {sum + 1, 1});
  }
}

void SumLevels::Lower(uint32_t sum) {
  const auto level = Find(sum);
  if (level != levels_.begin() && (level - 1)->sum == sum - 1) {
    ++(level - 1)->domains;
    if (--level->domains == 0) levels_.erase(level);
  } else if (level->domains == 1) {
    --level->sum;
  } else {
    --level->domains;
    levels_.insert(level, {sum - 1, 1});
  }
}

uint32_t SumLevels::LowestBut(uint32_t sum) const {
  if (levels_.empty()) return 0;
  const Level& first = levels_.front();
  if (first.sum != sum || first.domains > 1) return first.sum;
  return levels_.size() > 1 ? levels_[1].sum : 0;
}

}  // namespace berth::scheduler
