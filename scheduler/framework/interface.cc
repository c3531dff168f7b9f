// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/interface.h"

#include <algorithm>

namespace berth::scheduler {

QueueingHint Plugin::Hint(const PodInfo&, const ClusterEvent&, const EventObjects&) const {
  return QueueingHint::kQueue;
}

Status PreFilterPlugin::AddPod(CycleContext&, const PodInfo&, const NodeView&) const {
  return Status::Success();
}

Status PreFilterPlugin::RemovePod(CycleContext&, const PodInfo&, const NodeView&) const {
  return Status::Success();
}

void FilterPlugin::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                               std::span<Verdict> out) const {
  for (size_t i = 0; i < slots.size(); ++i) out[i] = Filter(cycle, cycle.snapshot.View(slots[i]));
}

const NodeVerdicts::Entry* NodeVerdicts::Find(Slot slot) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.slot == slot; });
  return found == entries.end() ? nullptr : &*found;
}

void ScorePlugin::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                             std::span<int64_t> out) const {
  for (size_t i = 0; i < slots.size(); ++i) out[i] = Score(cycle, cycle.snapshot.View(slots[i]));
}

Status ScorePlugin::NormalizeScore(CycleContext&, std::span<const Slot>, std::span<int64_t>) const {
  return Status::Success();
}

}  // namespace berth::scheduler
