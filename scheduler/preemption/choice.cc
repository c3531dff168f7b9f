// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/choice.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "scheduler/preemption/importance.h"

namespace berth::scheduler {
namespace {

// Cost holds the criteria for comparing candidates, in the order of the members.
struct Cost {
  int violations;
  int32_t highest_priority;
  int64_t priorities;
  size_t victims;
  Time::TimePoint start;

  bool operator<(const Cost& other) const {
    return std::tie(violations, highest_priority, priorities, victims, other.start) <
           std::tie(other.violations, other.highest_priority, other.priorities, other.victims,
                    start);
  }
};

Cost CostOf(const Candidate& candidate) {
  constexpr int64_t kRaise = int64_t{1} << 31;
  const PodInfo& first = *candidate.victims.front();
  Cost cost{candidate.violations, first.priority(), 0, candidate.victims.size(), StartOf(first)};
  for (const auto& victim : candidate.victims) {
    cost.priorities += victim->priority() + kRaise;
    if (victim->priority() == first.priority()) cost.start = std::min(cost.start, StartOf(*victim));
  }
  return cost;
}

}  // namespace

const Candidate& BestCandidate(std::span<const Candidate> candidates) {
  const Candidate* best = &candidates.front();
  Cost lowest = CostOf(*best);
  for (const Candidate& candidate : candidates.subspan(1)) {
    const Cost cost = CostOf(candidate);
    if (!(cost < lowest)) continue;
    best = &candidate;
    lowest = cost;
  }
  return *best;
}

}  // namespace berth::scheduler
