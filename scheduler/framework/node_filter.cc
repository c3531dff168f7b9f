// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_filter.h"

#include <utility>

namespace berth::scheduler {
namespace {

Profile::FilterOutcome WithContext(Profile::FilterOutcome outcome) {
  if (outcome.verdict.code() != Code::kError) return outcome;
  const Status status = Status::FromVerdict(outcome.verdict, outcome.plugin);
  outcome.verdict = Verdict::Failed(VerdictReason::Intern("running \"" + status.plugin +
                                                          "\" filter plugin: " + status.Message()));
  return outcome;
}

}  // namespace

std::vector<std::shared_ptr<const PodInfo>> NodeFilter::RivalsOn(Slot slot) const {
  auto pods = nominated_.On(cycle_.snapshot.At(slot).name);
  std::erase_if(pods, [&](const auto& pod) {
    return pod->priority() < cycle_.pod.priority() || pod->uid() == cycle_.pod.uid();
  });
  return pods;
}

Profile::FilterOutcome NodeFilter::WithRivals(
    Slot slot, std::vector<std::shared_ptr<const PodInfo>> rivals) const {
  CycleState state = cycle_.state.Clone();
  CycleContext imagined{cycle_.pod, cycle_.snapshot, state};
  NodeDelta delta;
  for (auto& rival : rivals) {
    delta.added.push_back(std::move(rival));
    const Status status = profile_.RunAddPod(imagined, skipped_, *delta.added.back(),
                                             cycle_.snapshot.View(slot, &delta));
    if (!status.ok()) return {Verdict::Failed(VerdictReason::Intern(status.Message())), {}};
  }
  return WithContext(
      profile_.RunFilter(imagined, skipped_, cycle_.snapshot.View(slot, &delta), trace_));
}

Profile::FilterOutcome NodeFilter::One(Slot slot) const {
  if (auto rivals = RivalsOn(slot); !rivals.empty()) {
    const Profile::FilterOutcome outcome = WithRivals(slot, std::move(rivals));
    if (!outcome.verdict.fits()) return outcome;
  }
  return WithContext(profile_.RunFilter(cycle_, skipped_, cycle_.snapshot.View(slot), trace_));
}

void NodeFilter::Many(std::span<const Slot> slots, std::span<Profile::FilterOutcome> out) {
  profile_.RunFilterBatch(cycle_, skipped_, slots, out, trace_);
  for (size_t i = 0; i < slots.size(); ++i) {
    // Upstream asks with the rivals first, so their verdict is the one that is reported.
    if (auto rivals = RivalsOn(slots[i]); !rivals.empty()) {
      const Profile::FilterOutcome imagined = WithRivals(slots[i], std::move(rivals));
      if (!imagined.verdict.fits()) {
        out[i] = imagined;
        continue;
      }
    }
    out[i] = WithContext(out[i]);
  }
}

}  // namespace berth::scheduler
