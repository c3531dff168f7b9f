// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/hard_spread.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {
namespace {

Verdict MissesKey() {
  static const VerdictReason kReason = VerdictReason::Intern(
      "node(s) didn't match pod topology spread constraints (missing required label)");
  return Verdict::UnschedulableAndUnresolvable(kReason);
}

Verdict IsTooFull() {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match pod topology spread constraints");
  return Verdict::Unschedulable(kReason);
}

}  // namespace

HardSpread::HardSpread(const CycleContext& cycle, std::vector<SpreadConstraint> constraints)
    : topology_keys_(TopologyKeysOf(constraints)) {
  const PodIndex& pods = cycle.snapshot.Pods();
  const api::Pod& pod = cycle.pod.pod();
  for (SpreadConstraint& constraint : constraints) {
    const DomainCounts& counts =
        pods.ByDomain(constraint.CountedPods(cycle.pod.namespace_()), constraint.topology_key,
                      [&] { return SpreadNodes::Query(constraint, topology_keys_, pod); });
    const int64_t itself = constraint.selector.Matches(pod.metadata.labels) ? 1 : 0;
    Counted counted{std::move(constraint), &counts, DomainColumn(counts), itself, 0};
    counted.most = counted.MostFor(Lowest(counted));
    constraints_.push_back(std::move(counted));
  }
}

// If there are fewer domains than minDomains, the global minimum is 0.
int64_t HardSpread::Lowest(const Counted& counted) {
  const bool has_all =
      static_cast<int64_t>(counted.counts->domains()) >= counted.constraint.min_domains;
  return has_all ? counted.counts->lowest() : 0;
}

// Returns Lowest as if `domain`, which has a counted node, had `pods` pods.
int64_t HardSpread::LowestWith(const Counted& counted, Domain domain, int64_t pods) {
  const auto domains = static_cast<int64_t>(counted.counts->domains());
  if (domains < counted.constraint.min_domains) return 0;
  if (domains == 1) return pods;
  return std::min(pods, int64_t{counted.counts->LowestWithout(domain)});
}

Verdict HardSpread::Check(Slot slot) const {
  for (const Counted& counted : constraints_) {
    if (!counted.column.Has(slot)) return MissesKey();
    if (counted.column.At(slot) > counted.most) return IsTooFull();
  }
  return Verdict::Fits();
}

// Returns the change in pods of a simulated node. Unlike the counts, it includes terminating pods,
// and all pods if the selector has no requirements. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, updateWithPod.
int64_t HardSpread::Simulated(const CycleContext& cycle, const Counted& counted,
                              const NodeView& node) const {
  const SpreadNodes nodes(counted.constraint, topology_keys_, cycle.pod.pod());
  if (!nodes.Includes(node.node())) return 0;
  return SimulatedPods(*node.delta(), [&](const PodInfo& pod) {
    return pod.namespace_() == cycle.pod.namespace_() &&
           pod.labels().Matches(counted.constraint.selector);
  });
}

Verdict HardSpread::CheckSimulated(const CycleContext& cycle, const NodeView& node) const {
  for (const Counted& counted : constraints_) {
    if (!counted.column.Has(node.slot())) return MissesKey();
    const int64_t simulated = Simulated(cycle, counted, node);
    const int64_t pods = counted.column.At(node.slot()) + simulated;
    const int64_t most =
        simulated == 0
            ? counted.most
            : counted.MostFor(LowestWith(counted, counted.column.DomainOf(node.slot()), pods));
    if (pods > most) return IsTooFull();
  }
  return Verdict::Fits();
}

}  // namespace berth::scheduler
