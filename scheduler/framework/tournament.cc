// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/tournament.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {

void Tournament::Clear(size_t positions) {
  size_t levels = 0;
  for (size_t entries = positions; levels == 0 || entries > 1; ++levels) {
    if (levels > 0) entries = GroupOf(entries + kFanout - 1);
    if (levels_.size() == levels) levels_.emplace_back();
    const size_t filled_up = FirstOf(GroupOf(entries + kFanout - 1));
    levels_[levels].best.assign(filled_up, kNone);
    levels_[levels].count.assign(filled_up, 0);
  }
  levels_.resize(levels);
  positions_ = positions;
}

int64_t Tournament::BestOf(const Level& level, size_t group) {
  int64_t best = kNone;
  for (size_t i = 0; i < kFanout; ++i) best = std::max(best, level.best[FirstOf(group) + i]);
  return best;
}

void Tournament::SumUp() {
  for (size_t level = 1; level < levels_.size(); ++level) {
    const Level& below = levels_[level - 1];
    for (size_t group = 0; group < GroupOf(below.best.size()); ++group) {
      uint32_t count = 0;
      for (size_t i = 0; i < kFanout; ++i) count += below.count[FirstOf(group) + i];
      levels_[level].count[group] = count;
      levels_[level].best[group] = BestOf(below, group);
    }
  }
}

void Tournament::Set(size_t position, int64_t value) {
  const int64_t before = std::exchange(levels_.front().best[position], value);
  if ((before == kNone) != (value == kNone)) {
    size_t at = position;
    for (Level& level : levels_) {
      level.count[at] += value == kNone ? -1 : 1;
      at = GroupOf(at);
    }
  }
  // Update the levels above as long as the group's best value changes.
  size_t group = GroupOf(position);
  for (size_t level = 1; level < levels_.size(); ++level) {
    const int64_t best = BestOf(levels_[level - 1], group);
    if (std::exchange(levels_[level].best[group], best) == best) return;
    group = GroupOf(group);
  }
}

size_t Tournament::IndexOf(size_t position) const {
  size_t index = 0;
  for (const Level& level : levels_) {
    for (size_t at = FirstOf(GroupOf(position)); at < position; ++at) index += level.count[at];
    position = GroupOf(position);
  }
  return index;
}

size_t Tournament::At(size_t index) const {
  size_t at = 0;
  for (size_t level = levels_.size() - 1; level-- > 0;) {
    const std::vector<uint32_t>& count = levels_[level].count;
    at = FirstOf(at);
    while (index >= count[at]) index -= count[at++];
  }
  return at;
}

size_t Tournament::NextBest(size_t position) const {
  const int64_t wanted = best();
  size_t level = 0;
  size_t at = position;
  // Go up while the rest of the group has no best value; continue with the next group.
  while (true) {
    const std::vector<int64_t>& row = levels_[level].best;
    const size_t end = FirstOf(GroupOf(at) + 1);
    while (at < end && row[at] != wanted) ++at;
    if (at < end) break;
    if (end == row.size()) return positions_;
    at = GroupOf(end);
    ++level;
  }
  // Go down to the first such position of the group found.
  while (level > 0) {
    const std::vector<int64_t>& row = levels_[--level].best;
    at = FirstOf(at);
    while (row[at] != wanted) ++at;
  }
  return at;
}

size_t Tournament::Bytes() const {
  size_t bytes = 0;
  for (const Level& level : levels_) {
    bytes += sizeof level + level.best.capacity() * sizeof(int64_t) +
             level.count.capacity() * sizeof(uint32_t);
  }
  return bytes;
}

}  // namespace berth::scheduler
