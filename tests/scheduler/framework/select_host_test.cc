// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/select_host.h"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {
namespace {

// GoHeap is a literal port of Go's container/heap over (total, index), with the greatest first.
class GoHeap {
 public:
  explicit GoHeap(const std::vector<int64_t>& totals) {
    for (size_t i = 0; i < totals.size(); ++i) items_.emplace_back(totals[i], i);
    const int n = static_cast<int>(items_.size());
    for (int i = n / 2 - 1; i >= 0; --i) Down(i, n);
  }

  size_t Pop() {
    const int n = static_cast<int>(items_.size()) - 1;
    std::swap(items_[0], items_[n]);
    Down(0, n);
    const size_t index = items_.back().second;
    items_.pop_back();
    return index;
  }

 private:
  bool Less(int i, int j) const { return items_[i].first > items_[j].first; }
  void Down(int i, int n) {
    while (true) {
      const int left = 2 * i + 1;
      if (left >= n) break;
      int j = left;
      if (const int right = left + 1; right < n && Less(right, left)) j = right;
      if (!Less(j, i)) break;
      std::swap(items_[i], items_[j]);
      i = j;
    }
  }

  std::vector<std::pair<int64_t, size_t>> items_;
};

TEST(SelectHost, SelectsTheFirstOfEqualNodes) {
  EXPECT_EQ(SelectHost(std::vector<int64_t>{5}), 0u);
  EXPECT_EQ(SelectHost(std::vector<int64_t>{5, 5, 5, 5}), 0u);
}

TEST(SelectHost, PrefersDrawingNodesAmongTheBest) {
  const std::vector<int64_t> totals = {7, 9, 9, 8, 9, 9};
  const auto chosen = [&](const std::vector<bool>& draws, double chance) {
    return SelectHost(totals, draws, [chance] { return chance; });
  };
  const std::vector<bool> most = {true, false, true, true, true, true};
  EXPECT_EQ(chosen(most, 0), 2u);
  EXPECT_EQ(chosen(most, 0.34), 4u);
  EXPECT_EQ(chosen(most, 0.99), 5u);
  EXPECT_EQ(chosen(most, 1), 5u) << "a value just below 1 may round up";
  EXPECT_EQ(chosen({true, false, false, true, false, false}, 0.99), SelectHost(totals));
}

TEST(SelectHost, CallsRandomOnlyForSeveralDrawingNodes) {
  size_t asked = 0;
  const auto chance = [&] {
    ++asked;
    return 0.5;
  };
  EXPECT_EQ(SelectHost(std::vector<int64_t>{3, 5, 5}, {true, false, true}, chance), 2u);
  EXPECT_EQ(SelectHost(std::vector<int64_t>{3, 5, 5}, {true, false, false}, chance), 1u);
  EXPECT_EQ(asked, 0u);
  SelectHost(std::vector<int64_t>{3, 5, 5}, {true, true, true}, chance);
  EXPECT_EQ(asked, 1u);
}

TEST(SelectHost, BreaksTiesByHeapOrder) {
  // Building the heap first moves the second 9 above its parent 1; the root then prefers its left
  // child.
  EXPECT_EQ(SelectHost(std::vector<int64_t>{0, 1, 9, 9}), 3u);
}

TEST(SelectHost, SelectsTheRootOfGosHeap) {
  std::mt19937 random(42);
  for (int round = 0; round < 5000; ++round) {
    std::vector<int64_t> totals(1 + random() % 40);
    for (int64_t& total : totals) total = static_cast<int64_t>(random() % 5);
    EXPECT_EQ(SelectHost(totals), GoHeap(totals).Pop());
  }
}

TEST(SelectHost, TournamentSelectsTheSameFromAnyStart) {
  std::mt19937 random(43);
  for (int round = 0; round < 5000; ++round) {
    // Few and many distinct totals, few and many nodes without one.
    std::vector<int64_t> row(1 + random() % 400);
    const unsigned values = 1 + random() % 5 * (random() % 5);
    const unsigned left_out = random() % 100;
    for (int64_t& total : row) {
      total =
          random() % 100 < left_out ? Tournament::kNone : static_cast<int64_t>(random() % values);
    }
    row[random() % row.size()] = 0;
    const size_t start = random() % row.size();
    std::vector<size_t> visited;
    std::vector<int64_t> totals;
    for (size_t i = 0; i < row.size(); ++i) {
      const size_t position = (start + i) % row.size();
      if (row[position] == Tournament::kNone) continue;
      visited.push_back(position);
      totals.push_back(row[position]);
    }
    Tournament tournament;
    tournament.Assign(row.size(), [&](size_t position) { return row[position]; });
    ASSERT_EQ(SelectHost(tournament, start), visited[GoHeap(totals).Pop()]) << "round " << round;
  }
}

TEST(NodesToFind, FollowsUpstreamExceptThatZeroMeansAll) {
  struct {
    size_t nodes;
    int32_t percentage;
    size_t expected;
  } const cases[] = {
      {0, 50, 0},      {99, 1, 99},     {100, 1, 100},       {1000, 5, 100},
      {1000, 10, 100}, {1000, 50, 500}, {1001, 50, 500},     {5000, 100, 5000},
      {5000, 0, 5000}, {50, 0, 50},     {100000, 0, 100000},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(NodesToFind(each.nodes, each.percentage), each.expected)
        << each.nodes << " nodes, " << each.percentage << " %";
  }
}

}  // namespace
}  // namespace berth::scheduler
