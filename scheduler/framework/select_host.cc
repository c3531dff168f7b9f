// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "base/check.h"
#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {
namespace {

// A heap's places are numbered from 0; the children of p are 2p+1 and 2p+2. The number plus one, in
// binary, spells the way down from the root after its leading one: 0 is left, 1 is right. Place 4
// is 5 = 101: left, then right.

// IsBefore says whether place a comes before b when a heap is walked parents first, left before
// right.
bool IsBefore(size_t a, size_t b) {
  const size_t path_a = a + 1;
  const size_t path_b = b + 1;
  const auto depth_a = std::bit_width(path_a);
  const auto depth_b = std::bit_width(path_b);
  const auto depth = std::min(depth_a, depth_b);
  // The beginnings of both ways, as long as the shorter one. Where they differ, the way that turns
  // left first is smaller; where they agree, the shorter way is a parent of the other.
  const size_t start_a = path_a >> (depth_a - depth);
  const size_t start_b = path_b >> (depth_b - depth);
  return start_a != start_b ? start_a < start_b : depth_a < depth_b;
}

// NextPlace follows `place` in that walk over a heap of n.
size_t NextPlace(size_t place, size_t n) {
  if (2 * place + 1 < n) return 2 * place + 1;
  // From a leaf up to the first left child that has a sibling: the sibling is next.
  while (place % 2 == 0 || place + 1 >= n) place = (place - 1) / 2;
  return place + 1;
}

}  // namespace

// kube-scheduler puts the nodes into a binary heap and takes its root. Building a heap moves an
// element up only past a smaller one, and prefers the left of equal children: so of the best nodes
// the one wins that comes first when the heap's shape is walked parents first, left before right.
size_t SelectHost(std::span<const int64_t> totals, size_t first) {
  BERTH_CHECK(first < totals.size(), "there is no node to select");
  const size_t n = totals.size();
  int64_t best = totals.front();
  size_t earliest = 0;  // index of the first of the best
  size_t ties = 0;
  for (size_t index = 0; index < n; ++index) {
    if (totals[index] < best) continue;
    if (totals[index] > best) {
      best = totals[index];
      earliest = index;
      ties = 0;
    }
    ++ties;
  }

  // The heap holds the nodes in visiting order: place 0 is index `first`. Both functions turn the
  // circle without a modulo, which the loops below would pay for each node.
  const auto place_of = [&](size_t index) {
    return index >= first ? index - first : index + n - first;
  };
  const auto index_at = [&](size_t place) {
    return place < n - first ? place + first : place + first - n;
  };
  // Among many equals the walk meets one soon; among few they are all compared.
  if (ties > n / 64) {
    size_t place = 0;
    while (totals[index_at(place)] != best) place = NextPlace(place, n);
    return index_at(place);
  }
  size_t winner = earliest;
  for (size_t index = earliest + 1; ties > 1; ++index) {
    if (totals[index] != best) continue;
    --ties;
    if (IsBefore(place_of(index), place_of(winner))) winner = index;
  }
  return winner;
}

size_t NodesToFind(size_t nodes, int32_t percentage) {
  constexpr size_t kMinNodesToFind = 100;
  if (percentage <= 0 || nodes < kMinNodesToFind) return nodes;
  return std::max(nodes * static_cast<size_t>(percentage) / 100, kMinNodesToFind);
}

}  // namespace berth::scheduler
