// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scheduler/framework/tournament.h"

namespace berth::scheduler {

// SelectHost picks the index of the highest total, of nodes in visiting order. Of nodes with the
// same total it takes the one that kube-scheduler takes: the first when the visited nodes are laid
// out as a binary heap and read parents first, left before right (select_host.cc). Equal input
// gives equal choice; nothing is drawn. Source: kube-scheduler pkg/scheduler/schedule_one.go,
// newSortedNodeScores and Pop. Requires: there is a node.
size_t SelectHost(std::span<const int64_t> totals);

// The same where some nodes draw lots: of those with the highest total one is taken by `random`, a
// value in [0, 1), which is asked only if there are several. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, prioritizeNodes (Randomizer). Requires: draws[i] belongs to
// totals[i].
size_t SelectHost(std::span<const int64_t> totals, const std::vector<bool>& draws,
                  const std::function<double()>& random);

// The same where totals are by position in the order of nodes, and those that have one are visited
// from position `start` on and around. Gives the position. Requires: start < positions(), and a
// position has a total.
size_t SelectHost(const Tournament& totals, size_t start);

}  // namespace berth::scheduler
