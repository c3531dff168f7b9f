// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/soft_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace berth::scheduler {
namespace {

constexpr std::string_view kHostnameKey = "kubernetes.io/hostname";

// Rounds like Go: halves away from zero. Adding 0.5 rounds up values just below 0.5, but a sum of
// scores is 0 or at least log(2). Requires: sum < 2^52.
int64_t RoundScore(double sum) {
  return static_cast<int64_t>(sum + 0.5);  // NOLINT(bugprone-incorrect-roundings): as said
}

// Descending computes 100 * (highest + lowest - score) / highest, as integer division truncates, by
// a multiplication. Adding 0.5 to the dividend keeps the quotient at least 0.5 / highest away from
// every integer. For highest < 2^40 this margin exceeds the rounding error of doubles.
class Descending {
 public:
  // Requires: 0 <= lowest <= highest, 0 < highest.
  Descending(int64_t lowest, int64_t highest)
      : of_zero_((static_cast<double>(kMaxNodeScore * (highest + lowest)) + 0.5) /
                 static_cast<double>(highest)),
        step_(static_cast<double>(kMaxNodeScore) / static_cast<double>(highest)) {}

  int64_t Of(int64_t score) const {
    return static_cast<int64_t>(of_zero_ - static_cast<double>(score) * step_);
  }

 private:
  double of_zero_;
  double step_;
};

}  // namespace

// With the hostname key each node is a domain: its pods count, whatever the inclusion policies.
SoftSpread::SoftSpread(const CycleContext& cycle, std::span<const SpreadConstraint> constraints,
                       bool needs_all_keys, std::span<const Slot> feasible) {
  const PodIndex& pods = cycle.snapshot.Pods();
  const size_t nodes = cycle.snapshot.NodeCount();
  const std::set<std::string> keys =
      needs_all_keys ? TopologyKeysOf(constraints) : std::set<std::string>();
  for (const SpreadConstraint& constraint : constraints) {
    const PodQuery query = constraint.CountedPods(cycle.pod.namespace_());
    const bool by_slot = constraint.topology_key == kHostnameKey;
    const auto subset = [&] { return SpreadNodes::Query(constraint, keys, cycle.pod.pod()); };
    constraints_.push_back(
        {.topology = pods.Domains(constraint.topology_key),
         .pods = by_slot ? pods.BySlot(query)
                         : pods.ByDomain(query, constraint.topology_key, subset).Pods(),
         .by_slot = by_slot,
         .tolerance = static_cast<double>(constraint.max_skew - 1)});
  }
  some_ignored_ = needs_all_keys && std::ranges::any_of(constraints_, [nodes](const auto& counted) {
                    return counted.topology.nodes() < nodes;
                  });
  // Many domains have few pods each; the weight compensates for that. Source:
  // pkg/scheduler/framework/plugins/podtopologyspread/scoring.go, topologyNormalizingWeight.
  for (Counted& counted : constraints_) {
    const size_t domains = FeasibleDomains(counted, nodes, feasible);
    counted.weight = std::log(static_cast<double>(domains + 2));
  }
}

bool SoftSpread::IsIgnored(Slot slot) const {
  return some_ignored_ && !std::ranges::all_of(constraints_, [slot](const Counted& counted) {
           return counted.Has(slot);
         });
}

template <class Use>
void SoftSpread::WithIgnored(const Use& use) const {
  if (some_ignored_) return use([this](Slot slot) { return IsIgnored(slot); });
  use([](Slot) { return false; });
}

// Counts the domains of the feasible nodes. Nodes without the key are one domain. With the hostname
// key each node is a domain. Stops early once all domains, mostly a few zones, were seen.
size_t SoftSpread::FeasibleDomains(const Counted& counted, size_t nodes,
                                   std::span<const Slot> feasible) const {
  if (counted.by_slot) {
    if (!some_ignored_) return feasible.size();
    return static_cast<size_t>(
        std::ranges::count_if(feasible, [this](Slot slot) { return !IsIgnored(slot); }));
  }
  const TopologyDomains& topology = counted.topology;
  const bool some_without_key = !some_ignored_ && topology.nodes() < nodes;
  const size_t there_are = topology.domains() + (some_without_key ? 1 : 0);
  std::vector<uint8_t> seen(topology.bound() + 1);
  size_t domains = 0;
  for (size_t i = 0; i < feasible.size() && domains < there_are; ++i) {
    if (IsIgnored(feasible[i])) continue;
    const Domain domain = topology.OfSlots()[feasible[i]];
    uint8_t& is_seen = seen[std::min<size_t>(domain, topology.bound())];
    if (std::exchange(is_seen, 1) == 0) ++domains;
  }
  return domains;
}

int64_t SoftSpread::Score(Slot slot) const {
  int64_t score = 0;
  ScoreAll({&slot, 1}, {&score, 1});
  return score;
}

// There are few domains, so each domain's score is computed once.
void SoftSpread::Counted::AddTo(std::span<double> sums, std::span<const Slot> slots) const {
  const auto add = [&sums, slots, domains = topology.OfSlots()](const auto& score_at) {
    for (size_t i = 0; i < slots.size(); ++i) {
      const Domain domain = domains[slots[i]];
      if (domain != kNoDomain) sums[i] += score_at(slots[i], domain);
    }
  };
  if (by_slot) {
    return add([own = *this](Slot slot, Domain) { return own.ScoreOf(own.pods[slot]); });
  }
  std::vector<double> scores(pods.size());
  std::ranges::transform(pods, scores.begin(), [this](uint32_t count) { return ScoreOf(count); });
  add([of_domains = scores.data()](Slot, Domain domain) { return of_domains[domain]; });
}

// Adds one constraint after another, so that each loop reads only its own columns. The sums equal
// those of adding node by node.
void SoftSpread::ScoreAll(std::span<const Slot> slots, std::span<int64_t> scores) const {
  std::vector<double> sums(slots.size(), 0.0);
  for (const Counted& counted : constraints_) counted.AddTo(sums, slots);
  WithIgnored([&](const auto& is_ignored) {
    for (size_t i = 0; i < slots.size(); ++i) {
      scores[i] = is_ignored(slots[i]) ? kMinNodeScore : RoundScore(sums[i]);
    }
  });
}

void SoftSpread::Normalize(std::span<const Slot> slots, std::span<int64_t> scores) const {
  WithIgnored([&](const auto& is_ignored) {
    int64_t lowest = std::numeric_limits<int64_t>::max();
    int64_t highest = 0;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (is_ignored(slots[i])) continue;
      lowest = std::min(lowest, scores[i]);
      highest = std::max(highest, scores[i]);
    }
    const auto replace = [&](const auto& normalized) {
      for (size_t i = 0; i < slots.size(); ++i) {
        scores[i] = is_ignored(slots[i]) ? kMinNodeScore : normalized(scores[i]);
      }
    };
    if (highest == 0) return replace([](int64_t) { return kMaxNodeScore; });
    const Descending descending(lowest, highest);
    replace([&descending](int64_t score) { return descending.Of(score); });
  });
}

}  // namespace berth::scheduler
