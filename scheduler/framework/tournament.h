// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace berth::scheduler {

// Tournament is a tree over a row of positions, each with a value or none. It knows the highest
// value and the number of values. After Assign, each call takes time logarithmic in the number of
// positions.
//
// Level 0 is the row itself. Each entry of a higher level stands for a group of kFanout neighbors
// of the level below and holds their highest value and their count; the last level has one such
// entry. Levels are padded to whole groups with entries without a value.
class Tournament {
 public:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

  // Replaces the row by value_of(position) for each position. Requires: positions > 0.
  template <class ValueOf>
  void Assign(size_t positions, const ValueOf& value_of) {
    Clear(positions);
    for (size_t position = 0; position < positions; ++position) {
      const int64_t value = value_of(position);
      levels_.front().best[position] = value;
      levels_.front().count[position] = value == kNone ? 0 : 1;
    }
    SumUp();
  }
  // Replaces one value; kNone removes it. Requires: position < positions().
  void Set(size_t position, int64_t value);

  size_t positions() const { return positions_; }
  // The number of positions with a value.
  size_t size() const { return levels_.empty() ? 0 : levels_.back().count.front(); }

  // The highest value. Requires, like the functions below: at least one position has a value.
  int64_t best() const { return levels_.back().best.front(); }
  // IndexOf returns the number of values before `position`. At returns the position of the value
  // with that many values before it. Requires: position < positions(), index < size().
  size_t IndexOf(size_t position) const;
  size_t At(size_t index) const;
  // Returns the first position, from `position` on, that has the highest value; positions() if
  // there is none. Requires: position < positions().
  size_t NextBest(size_t position) const;

  size_t Bytes() const;

 private:
  static constexpr size_t kFanout = 16;
  struct Level {
    std::vector<int64_t> best;
    std::vector<uint32_t> count;
  };

  static size_t GroupOf(size_t at) { return at / kFanout; }  // the entry on the level above
  static size_t FirstOf(size_t group) { return group * kFanout; }
  void Clear(size_t positions);
  void SumUp();
  static int64_t BestOf(const Level& level, size_t group);

  size_t positions_ = 0;
  std::vector<Level> levels_;
};

}  // namespace berth::scheduler
