// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/tournament.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

constexpr int64_t kNone = Tournament::kNone;

void Assign(Tournament& tournament, const std::vector<int64_t>& values) {
  tournament.Assign(values.size(), [&](size_t position) { return values[position]; });
}

Tournament Of(const std::vector<int64_t>& values) {
  Tournament tournament;
  Assign(tournament, values);
  return tournament;
}

// Compares every result with a linear scan.
void ExpectAnswers(const Tournament& tournament, const std::vector<int64_t>& values) {
  ASSERT_EQ(tournament.positions(), values.size());
  const int64_t best = *std::max_element(values.begin(), values.end());
  ASSERT_EQ(tournament.best(), best);
  size_t count = 0;
  for (size_t position = 0; position < values.size(); ++position) {
    ASSERT_EQ(tournament.IndexOf(position), count) << position;
    if (values[position] != kNone) {
      ASSERT_EQ(tournament.At(count++), position);
    }
    const auto next =
        std::find(values.begin() + static_cast<ptrdiff_t>(position), values.end(), best);
    ASSERT_EQ(tournament.NextBest(position), static_cast<size_t>(next - values.begin()));
  }
  ASSERT_EQ(tournament.size(), count);
}

TEST(Tournament, SinglePositionHasItsValue) {
  ExpectAnswers(Of({7}), {7});
  EXPECT_EQ(Of({kNone}).size(), 0u);
}

TEST(Tournament, NextBestFindsTheNextHighestValue) {
  const Tournament tournament = Of({3, 9, kNone, 9, 1});
  EXPECT_EQ(tournament.best(), 9);
  EXPECT_EQ(tournament.NextBest(0), 1u);
  EXPECT_EQ(tournament.NextBest(2), 3u);
  EXPECT_EQ(tournament.NextBest(4), tournament.positions());
}

TEST(Tournament, AgreesWithALinearScan) {
  std::mt19937 random(7);
  for (const size_t positions : {1u, 15u, 16u, 17u, 255u, 256u, 257u, 1000u, 5000u}) {
    const auto any = [&random] {
      return random() % 4 == 0 ? kNone : static_cast<int64_t>(random() % 20) - 5;
    };
    std::vector<int64_t> values(positions);
    std::generate(values.begin(), values.end(), any);
    Tournament tournament = Of(values);
    for (int change = 0; change < 20; ++change) {
      ExpectAnswers(tournament, values);
      for (int i = 0; i < 10; ++i) {
        const size_t position = random() % positions;
        values[position] = any();
        tournament.Set(position, values[position]);
      }
    }
  }
}

TEST(Tournament, AssignReplacesTheRow) {
  Tournament tournament = Of(std::vector<int64_t>(300, 5));
  for (const size_t positions : {2u, 5000u, 40u}) {
    std::vector<int64_t> values(positions, kNone);
    values[positions / 2] = 3;
    Assign(tournament, values);
    ExpectAnswers(tournament, values);
  }
}

}  // namespace
}  // namespace berth::scheduler
