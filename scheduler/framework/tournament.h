// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace berth::scheduler {

// Tournament holds a value for each of a row of positions, or none, and knows which is the highest
// and how many there are. After Assign every call takes a number of steps that grows with the
// logarithm of the positions.
//
// Level 0 is the row itself. Each entry of a level above stands for a group of kFanout neighbours
// of the level below, and has the highest of their values and how many there are; the last level
// has one such entry. Levels are filled up to whole groups by entries without a value.
class Tournament {
 public:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

  // Assign replaces the row by value_of(position) for each position. Requires: there is one.
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
  // Set exchanges one value; kNone takes it away. Requires: position < positions().
  void Set(size_t position, int64_t value);

  size_t positions() const { return positions_; }
  // How many positions have a value.
  size_t size() const { return levels_.empty() ? 0 : levels_.back().count.front(); }

  // The highest value. Requires, as all that follows: there is a value.
  int64_t best() const { return levels_.back().best.front(); }
  // IndexOf is how many values there are before `position`, At the position of the value that has
  // `index` others before it. Requires: position < positions(), index < size().
  size_t IndexOf(size_t position) const;
  size_t At(size_t index) const;
  // NextBest is the first position, at `position` or behind, that has the highest value;
  // positions() if there is none. Requires: position < positions().
  size_t NextBest(size_t position) const;

  size_t Bytes() const;

 private:
  static constexpr size_t kFanout = 16;
  struct Level {
    std::vector<int64_t> best;
    std::vector<uint32_t> count;
  };

  static size_t GroupOf(size_t at) { return at / kFanout; }  // the entry above
  static size_t FirstOf(size_t group) { return group * kFanout; }
  void Clear(size_t positions);
  void SumUp();
  static int64_t BestOf(const Level& level, size_t group);

  size_t positions_ = 0;
  std::vector<Level> levels_;
};

}  // namespace berth::scheduler
