// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/soft_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace berth::scheduler {
namespace {

constexpr std::string_view kHostnameKey = "kubernetes.io/hostname";

// RoundScore is that of Go: halves away from zero. Requires: not negative.
int64_t RoundScore(double value) {
  const auto whole = static_cast<int64_t>(value);
  return whole + (value - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

// Quotient divides as integers do, in a third of the time. Exact for quotients up to a few hundred
// and divisors below 2^44: one that is no integer is further from the next than doubles are coarse.
int64_t Quotient(int64_t dividend, int64_t divisor) {
  return static_cast<int64_t>(static_cast<double>(dividend) / static_cast<double>(divisor));
}

}  // namespace

// On hostnames each node is a domain: what is on it is counted whatever the policies say.
SoftSpread::SoftSpread(const CycleContext& cycle, std::span<const SpreadConstraint> constraints,
                       bool needs_all_keys, std::span<const Slot> feasible)
    : needs_all_keys_(needs_all_keys) {
  const PodIndex& pods = cycle.snapshot.Pods();
  const std::set<std::string> keys =
      needs_all_keys ? TopologyKeysOf(constraints) : std::set<std::string>();
  std::vector<size_t> bounds;
  for (const SpreadConstraint& constraint : constraints) {
    const PodQuery query = constraint.CountedPods(cycle.pod.namespace_());
    const TopologyDomains& topology = pods.Domains(constraint.topology_key);
    const bool by_slot = constraint.topology_key == kHostnameKey;
    constraints_.push_back(
        {.domains = topology.OfSlots(),
         .pods = by_slot ? pods.BySlot(query)
                         : pods.ByDomain(query, constraint.topology_key,
                                         SpreadNodes::Query(constraint, keys, cycle.pod.pod()))
                               .Pods(),
         .by_slot = by_slot,
         .weight = 0,
         .tolerance = static_cast<double>(constraint.max_skew - 1)});
    bounds.push_back(topology.bound());
  }
  // Source: podtopologyspread/scoring.go, topologyNormalizingWeight: many domains have few pods
  // each, which should not water them down.
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const size_t domains = FeasibleDomains(constraints_[i], bounds[i], feasible);
    constraints_[i].weight = std::log(static_cast<double>(domains + 2));
  }
}

bool SoftSpread::IsIgnored(Slot slot) const {
  return needs_all_keys_ && std::ranges::any_of(constraints_, [slot](const Counted& counted) {
           return counted.domains[slot] == kNoDomain;
         });
}

// FeasibleDomains counts the domains of feasible nodes; those without the key are one together. Each
// host is a domain.
size_t SoftSpread::FeasibleDomains(const Counted& counted, size_t bound,
                                   std::span<const Slot> feasible) const {
  if (counted.by_slot) {
    return static_cast<size_t>(
        std::ranges::count_if(feasible, [this](Slot slot) { return !IsIgnored(slot); }));
  }
  std::vector<uint8_t> seen(bound + 1);
  for (const Slot slot : feasible) {
    if (!IsIgnored(slot)) seen[std::min<size_t>(counted.domains[slot], bound)] = 1;
  }
  return static_cast<size_t>(std::ranges::count(seen, 1));
}

int64_t SoftSpread::Score(Slot slot) const {
  int64_t score = 0;
  ScoreAll({&slot, 1}, {&score, 1});
  return score;
}

// One constraint after the other, so that each loop reads its columns alone. The sums are those that
// adding up node by node gives.
void SoftSpread::ScoreAll(std::span<const Slot> slots, std::span<int64_t> scores) const {
  std::vector<double> sums(slots.size(), 0.0);
  for (const Counted& counted : constraints_) {
    for (size_t i = 0; i < slots.size(); ++i) {
      if (counted.domains[slots[i]] == kNoDomain) continue;
      sums[i] += counted.At(slots[i]) * counted.weight + counted.tolerance;
    }
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    scores[i] = IsIgnored(slots[i]) ? kMinNodeScore : RoundScore(sums[i]);
  }
}

void SoftSpread::Normalize(std::span<const Slot> slots, std::span<int64_t> scores) const {
  int64_t lowest = std::numeric_limits<int64_t>::max();
  int64_t highest = 0;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (IsIgnored(slots[i])) continue;
    lowest = std::min(lowest, scores[i]);
    highest = std::max(highest, scores[i]);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    if (IsIgnored(slots[i])) {
      scores[i] = kMinNodeScore;
    } else if (highest == 0) {
      scores[i] = kMaxNodeScore;
    } else {
      scores[i] = Quotient(kMaxNodeScore * (highest + lowest - scores[i]), highest);
    }
  }
}

}  // namespace berth::scheduler
