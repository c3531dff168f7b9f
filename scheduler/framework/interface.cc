// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/interface.h"

namespace berth::scheduler {

QueueingHint Plugin::Hint(const PendingPod&, const ClusterEvent&, const EventObjects&) const {
  return QueueingHint::kQueue;
}

void FilterPlugin::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                               std::span<Verdict> out) const {
  for (size_t i = 0; i < slots.size(); ++i) out[i] = Filter(cycle, cycle.snapshot.View(slots[i]));
}

const NodeVerdicts::Entry* NodeVerdicts::Find(Slot slot) const {
  if (places_.empty()) {
    for (size_t i = 0; i < entries.size(); ++i) {
      if (places_.size() <= entries[i].slot) places_.resize(entries[i].slot + 1);
      places_[entries[i].slot] = static_cast<uint32_t>(i) + 1;
    }
  }
  if (slot >= places_.size() || places_[slot] == 0) return nullptr;
  return &entries[places_[slot] - 1];
}

void ScorePlugin::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                             std::span<int64_t> out) const {
  for (size_t i = 0; i < slots.size(); ++i) out[i] = Score(cycle, cycle.snapshot.View(slots[i]));
}

Status ScorePlugin::NormalizeScore(CycleContext&, std::span<const Slot>, std::span<int64_t>) const {
  return Status::Success();
}

}  // namespace berth::scheduler
