// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/dry_run.h"

#include <algorithm>
#include <utility>

#include "scheduler/preemption/importance.h"
#include "scheduler/preemption/overdue.h"

namespace berth::scheduler {
namespace {

void SortByImportance(PodList& pods) {
  std::ranges::stable_sort(pods,
                           [](const auto& a, const auto& b) { return IsMoreImportant(*a, *b); });
}

FilterOutcome NoVictims() {
  static const VerdictReason kReason =
      VerdictReason::Intern("No preemption victims found for incoming pod");
  return {Verdict::UnschedulableAndUnresolvable(kReason), {}};
}

}  // namespace

DryRun::DryRun(const PostFilterContext& context, Time now)
    : context_(context), now_(now), no_victims_(NoVictims()) {}

PodList DryRun::PodsThatMayGo(const NodeInfo& node) const {
  const Snapshot& snapshot = context_.cycle.snapshot;
  const Gang* own = snapshot.GangOf(context_.cycle.pod);
  PodList pods;
  for (const auto& pod : node.pods) {
    if (pod->priority() >= context_.cycle.pod.priority() || IsOverdue(*pod, now_)) continue;
    if (own != nullptr && snapshot.GangOf(*pod) == own) continue;
    pods.push_back(pod);
  }
  return pods;
}

DryRun::Result DryRun::On(Slot slot) const {
  const Snapshot& snapshot = context_.cycle.snapshot;
  const NodeInfo& node = snapshot.At(slot);
  PodList pods;
  if (node.lowest_priority.value < context_.cycle.pod.priority()) pods = PodsThatMayGo(node);
  if (pods.empty()) return {no_victims_, {}};
  NodeDelta change(node);
  for (const auto& pod : pods) change.Remove(*pod);
  const FilterOutcome emptied = context_.trials.Filter(slot, change);
  if (!emptied.verdict.fits()) return {emptied, {}};

  SortByImportance(pods);
  const PodsByViolation groups = SplitByBudgets(std::move(pods), snapshot);
  Result result{.candidate = {.node = NodeRef(node)}};
  PodList& victims = result.candidate.victims;
  const auto reprieve = [&](const PodList& group) {
    for (const auto& pod : group) {
      change.Restore(*pod);
      if (context_.trials.FilterAgain(slot, change).verdict.fits()) continue;
      change.Remove(*pod);
      victims.push_back(pod);
    }
  };
  reprieve(groups.violating);
  result.candidate.violations = static_cast<int>(victims.size());
  reprieve(groups.others);
  // All filters accept the node as it is, so something else rejected the pod: an extender, or a
  // PreFilter. Preemption does not help.
  if (victims.empty()) result.rejection = no_victims_;
  if (!groups.violating.empty() && !groups.others.empty()) SortByImportance(victims);
  return result;
}

}  // namespace berth::scheduler
