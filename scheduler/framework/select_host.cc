// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {

// kube-scheduler puts the nodes into a binary heap and takes its root, so which of several best
// nodes wins follows from the moves that building the heap makes. Only the root is wanted here, and
// taking it out moves nothing that matters.
size_t SelectHost(std::span<const int64_t> totals) {
  BERTH_CHECK(!totals.empty(), "there is no node to select");
  const size_t n = totals.size();
  std::vector<size_t> heap(n);
  std::iota(heap.begin(), heap.end(), size_t{0});

  const auto total = [&](size_t position) { return totals[heap[position]]; };
  const auto sift_down = [&](size_t parent) {
    for (;;) {
      size_t child = 2 * parent + 1;
      if (child >= n) return;
      if (child + 1 < n && total(child + 1) > total(child)) ++child;
      if (total(child) <= total(parent)) return;
      std::swap(heap[parent], heap[child]);
      parent = child;
    }
  };
  for (size_t i = n / 2; i-- > 0;) sift_down(i);
  return heap.front();
}

size_t NodesToFind(size_t nodes, int32_t percentage) {
  constexpr size_t kMinNodesToFind = 100;
  if (percentage <= 0 || nodes < kMinNodesToFind) return nodes;
  return std::max(nodes * static_cast<size_t>(percentage) / 100, kMinNodesToFind);
}

}  // namespace berth::scheduler
