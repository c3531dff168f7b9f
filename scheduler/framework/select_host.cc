// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/select_host.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace berth::scheduler {
namespace {

// kube-scheduler puts the nodes into a binary heap and takes its root. Building a heap moves an
// element up only past a smaller one, and prefers the left one of equal children. So among the best
// nodes, the winner is the first one in a walk of the heap: parents first, left before right.
//
// Heap places are numbered from 0; the children of p are 2p+1 and 2p+2. After its leading 1, the
// binary form of p+1 is the path from the root: 0 is left, 1 is right. Example: place 4 is 5 = 101:
// left, then right.

// Reports whether place a comes before b in that walk.
bool IsBefore(size_t a, size_t b) {
  const size_t path_a = a + 1;
  const size_t path_b = b + 1;
  const auto depth_a = std::bit_width(path_a);
  const auto depth_b = std::bit_width(path_b);
  const auto depth = std::min(depth_a, depth_b);
  // Compare the paths up to the length of the shorter one. If they differ, the one that turns left
  // first is smaller; if they are equal, the shorter one is an ancestor of the other.
  const size_t start_a = path_a >> (depth_a - depth);
  const size_t start_b = path_b >> (depth_b - depth);
  return start_a != start_b ? start_a < start_b : depth_a < depth_b;
}

// Returns the winner in a heap of n. `next_best(place)` returns the first place, from `place` on,
// with the best total, or n or more if there is none. Places of one depth are numbered from left to
// right, so each depth has one candidate.
template <class NextBest>
size_t FirstInWalk(size_t n, const NextBest& next_best) {
  size_t winner = next_best(0);
  for (size_t place = winner; place < n;) {
    if (IsBefore(place, winner)) winner = place;
    const size_t next_depth = (size_t{1} << std::bit_width(place + 1)) - 1;
    place = next_depth < n ? next_best(next_depth) : n;
  }
  return winner;
}

}  // namespace

size_t SelectHost(std::span<const int64_t> totals) {
  BERTH_CHECK(!totals.empty(), "there is no node to select");
  const int64_t best = *std::max_element(totals.begin(), totals.end());
  return FirstInWalk(totals.size(), [&](size_t place) {
    while (place < totals.size() && totals[place] != best) ++place;
    return place;
  });
}

size_t SelectHost(std::span<const int64_t> totals, const std::vector<bool>& draws,
                  const std::function<double()>& random) {
  BERTH_CHECK(!totals.empty(), "there is no node to select");
  const int64_t best = *std::max_element(totals.begin(), totals.end());
  std::vector<size_t> drawing;
  for (size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] == best && draws[i]) drawing.push_back(i);
  }
  if (drawing.empty()) return SelectHost(totals);
  if (drawing.size() == 1) return drawing.front();
  const auto drawn = static_cast<size_t>(random() * static_cast<double>(drawing.size()));
  return drawing[std::min(drawn, drawing.size() - 1)];
}

size_t SelectHost(const Tournament& totals, size_t start) {
  const size_t n = totals.size();
  BERTH_CHECK(n > 0, "there is no node to select");
  // Place 0 of the heap is the first node from `start` on. The places before `turn` are the nodes
  // from `start` to the end of the order; the other places are the nodes before `start`.
  const size_t first = totals.IndexOf(start);
  const size_t turn = n - first;
  const auto position_of = [&](size_t place) {
    return totals.At(place < turn ? first + place : place - turn);
  };
  const auto next_best = [&](size_t place) {
    size_t position = totals.NextBest(position_of(place));
    if (place < turn) {
      if (position < totals.positions()) return totals.IndexOf(position) - first;
      position = totals.NextBest(0);  // wrap around
    }
    return position < start ? turn + totals.IndexOf(position) : n;  // stop at `start`
  };
  return position_of(FirstInWalk(n, next_best));
}

}  // namespace berth::scheduler
