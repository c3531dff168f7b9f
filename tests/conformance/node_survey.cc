// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/node_survey.h"

#include <algorithm>
#include <utility>

#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/extender_calls.h"
#include "scheduler/framework/node_filter.h"

namespace berth::conformance {

using scheduler::CycleTrace;
using scheduler::NodeVerdicts;
using scheduler::Slot;
using scheduler::Status;
using scheduler::Verdict;

namespace {

bool Has(const std::vector<Slot>& slots, Slot slot) {
  return std::ranges::find(slots, slot) != slots.end();
}

}  // namespace

NodeSurvey::NodeSurvey(Cluster& cluster, const scheduler::PendingPod& pod)
    : profile_(cluster.profile()), cycle_{pod, cluster.snapshot(), state_} {
  if (profile_.extenders() != nullptr) {
    extenders_ = profile_.extenders()->InterestedIn(pod, cluster.snapshot());
  }
  pre_filter_ = profile_.RunPreFilter(cycle_, /*trace=*/nullptr);
  rejected_.absent = pre_filter_.status;
  if (!pre_filter_.status.ok()) return;
  if (pre_filter_.nodes) {
    rejected_.absent = scheduler::ExcludedByPreFilter(profile_, pre_filter_.restricted_by);
  } else if (cluster.result_cache() != nullptr) {
    cached_.emplace(*cluster.result_cache(), profile_, cycle_);
  }
  Filter(cluster.nominated());
  AskExtenders();
}

void NodeSurvey::Filter(const scheduler::Nominations& nominated) {
  std::vector<Slot> slots;
  for (const Slot slot : cycle_.snapshot.Order()) {
    const std::string& name = cycle_.snapshot.At(slot).name.text();
    if (!pre_filter_.nodes || pre_filter_.nodes->contains(name)) slots.push_back(slot);
  }
  candidates_ = slots.size();
  std::vector<scheduler::FilterOutcome> outcomes(slots.size());
  scheduler::NodeFilter(profile_, nominated, cycle_, pre_filter_.skipped, /*trace=*/nullptr,
                        cached_ ? &*cached_ : nullptr)
      .Many(slots, outcomes);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (outcomes[i].verdict.fits()) {
      feasible_.push_back(slots[i]);
    } else {
      rejected_.entries.push_back({slots[i], outcomes[i].verdict, outcomes[i].plugin});
    }
  }
}

// Removes the nodes that extenders reject or leave out.
void NodeSurvey::AskExtenders() {
  std::vector<Slot> left = feasible_;
  const auto reasons =
      scheduler::FilterByExtenders(extenders_.list, cycle_, left, /*trace=*/nullptr);
  if (!reasons) return;  // SchedulePod reports the error
  auto& entries = rejected_.entries;
  entries.insert(entries.end(), reasons->begin(), reasons->end());
  for (const Slot slot : feasible_) {
    if (Has(left, slot)) continue;
    if (std::ranges::find(*reasons, slot, &NodeVerdicts::Entry::slot) != reasons->end()) continue;
    const scheduler::VerdictReason none = cycle_.state.reasons().GroupOf({});
    entries.push_back(
        {slot, Verdict::UnschedulableAndUnresolvable(none), scheduler::kExtenderPlugin});
  }
  feasible_ = std::move(left);
}

Status NodeSurvey::StatusOf(Slot slot) const {
  if (Has(feasible_, slot)) return Status::Success();
  const auto* entry = rejected_.Find(slot);
  return entry == nullptr ? rejected_.absent : Status::FromVerdict(entry->verdict, entry->plugin);
}

CycleTrace NodeSurvey::Score() {
  CycleTrace trace;
  scheduler::PluginIndexSet skipped;
  const scheduler::FeasibleNodes feasible(feasible_);
  if (!profile_.RunPreScore(cycle_, feasible, skipped, &trace).ok()) return trace;
  std::vector<int64_t> totals(feasible_.size());
  const Status status =
      profile_.RunScore(cycle_, skipped, feasible_, totals, &trace, cached_ ? &*cached_ : nullptr);
  trace.totals.clear();
  if (!status.ok()) return trace;
  scheduler::ScoreByExtenders(extenders_.list, cycle_, feasible_, totals, &trace);
  for (size_t i = 0; i < totals.size(); ++i) trace.totals.push_back({feasible_[i], totals[i]});
  return trace;
}

}  // namespace berth::conformance
