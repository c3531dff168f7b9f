// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scheduler/framework/tournament.h"

namespace berth::scheduler {

// Returns the index of the highest total; `totals` are in visiting order. Among equal totals, it
// selects the same node as kube-scheduler: the first one when the visited nodes are laid out as a
// binary heap and read parents first, left before right (select_host.cc). Deterministic. Source:
// kube-scheduler pkg/scheduler/schedule_one.go, newSortedNodeScores and Pop. Requires: at least one
// node.
size_t SelectHost(std::span<const int64_t> totals);

// Same, with a random choice: among the nodes with the highest total and draws[i], `random`, a
// value in [0, 1), selects one. It is called only if there are several. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, prioritizeNodes (Randomizer). Requires: draws[i] belongs to
// totals[i].
size_t SelectHost(std::span<const int64_t> totals, const std::vector<bool>& draws,
                  const std::function<double()>& random);

// Same for totals by position in the node order. Nodes with a total are visited from position
// `start`, wrapping around. Returns the position. Requires: start < positions(); at least one
// position has a total.
size_t SelectHost(const Tournament& totals, size_t start);

}  // namespace berth::scheduler
