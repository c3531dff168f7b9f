// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_filter.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {
namespace {

Profile::FilterOutcome WithContext(Profile::FilterOutcome outcome, CycleState& state) {
  if (outcome.verdict.code() != Code::kError) return outcome;
  const Status status = Status::FromVerdict(outcome.verdict, outcome.plugin);
  outcome.verdict = Verdict::Failed(
      state.reasons().Add("running \"" + status.plugin + "\" filter plugin: " + status.Message()));
  return outcome;
}

// Combines the verdicts with and without the nominated pods.
const FilterOutcome& Together(const FilterOutcome& with, const FilterOutcome& without) {
  if (with.verdict.fits()) return without;
  const bool is_rejected_anyhow =
      !IsRejected(with.verdict.code()) && IsRejected(without.verdict.code());
  return is_rejected_anyhow ? without : with;
}

}  // namespace

NodeFilter::NodeFilter(const Profile& profile, const Nominations& nominated, CycleContext& cycle,
                       PluginIndexSet skipped, CycleTrace* trace, CachedResults* cached)
    : profile_(profile),
      cycle_(cycle),
      skipped_(skipped),
      trace_(trace),
      cached_(cached),
      is_pod_nominated_(!cycle.pod.nominated_node_name().empty()) {
  nominated.ForEach([&](const std::string& name, const Nominations::Pods& pods) {
    NominatedNode node{kNoSlot, {}};
    for (const auto& pod : pods) {
      if (pod->uid() == cycle.pod.uid()) {
        is_pod_nominated_ = true;
      } else if (pod->priority() >= cycle.pod.priority()) {
        node.pods.push_back(pod);
      }
    }
    if (node.pods.empty()) return;
    node.slot = cycle.snapshot.Find(name);
    if (node.slot != kNoSlot) nominated_nodes_.push_back(std::move(node));
  });
  std::sort(nominated_nodes_.begin(), nominated_nodes_.end(),
            [](const NominatedNode& a, const NominatedNode& b) { return a.slot < b.slot; });
}

const NodeFilter::NominatedNode* NodeFilter::FindNominated(Slot slot) const {
  const auto found =
      std::lower_bound(nominated_nodes_.begin(), nominated_nodes_.end(), slot,
                       [](const NominatedNode& node, Slot wanted) { return node.slot < wanted; });
  return found != nominated_nodes_.end() && found->slot == slot ? &*found : nullptr;
}

FilterOutcome NodeFilter::Filter(Slot slot, const NodeDelta& change) const {
  return FilterTwice(slot, {&change, skipped_, nullptr});
}

FilterOutcome NodeFilter::FilterAgain(Slot slot, const NodeDelta& change) const {
  return FilterTwice(slot, {&change, skipped_ | profile_.filters_blind_to_pods(), nullptr});
}

FilterOutcome NodeFilter::Ask(Slot slot, const Question& question) const {
  const NodeView node = cycle_.snapshot.View(slot, question.change);
  return WithContext(profile_.RunFilter(cycle_, question.skipped, node, question.trace),
                     cycle_.state);
}

FilterOutcome NodeFilter::AskWithNominated(const NominatedNode& node,
                                           const Question& question) const {
  NodeDelta change =
      question.change != nullptr ? *question.change : NodeDelta(cycle_.snapshot.At(node.slot));
  for (const auto& pod : node.pods) change.Add(pod);
  return Ask(node.slot, {&change, question.skipped, question.trace});
}

FilterOutcome NodeFilter::FilterTwice(Slot slot, const Question& question) const {
  const NominatedNode* promised = FindNominated(slot);
  if (promised == nullptr) return Ask(slot, question);
  const FilterOutcome with = AskWithNominated(*promised, question);
  if (IsRejected(with.verdict.code())) return with;
  return Together(with, Ask(slot, question));
}

void NodeFilter::Many(std::span<const Slot> slots, std::span<Profile::FilterOutcome> out) const {
  profile_.RunFilterBatch(cycle_, skipped_, slots, out, trace_, cached_);
  for (Profile::FilterOutcome& outcome : out) {
    if (outcome.verdict.code() == Code::kError) outcome = WithContext(outcome, cycle_.state);
  }
  if (nominated_nodes_.empty()) return;
  for (size_t i = 0; i < slots.size(); ++i) {
    // Upstream filters with the nominated pods first, so that verdict is reported.
    const NominatedNode* promised = FindNominated(slots[i]);
    if (promised != nullptr) out[i] = Together(WithNominated(*promised), out[i]);
  }
}

}  // namespace berth::scheduler
