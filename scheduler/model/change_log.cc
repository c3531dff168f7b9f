// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/change_log.h"

namespace berth::scheduler {

void ChangeLog::Resize(size_t slots) {
  for (auto& column : nodes_) column.resize(slots);
}

void ChangeLog::Touch(Slot slot, Epoch epoch) {
  ++generation_;
  nodes_[static_cast<size_t>(epoch)][slot] = generation_;
  recent_[generation_ % kRecent] = {slot, epoch};
}

void ChangeLog::Touch(Epoch epoch) {
  ++generation_;
  cluster_[static_cast<size_t>(epoch)] = generation_;
  recent_[generation_ % kRecent] = {kNoSlot, epoch};
}

void ChangeLog::Since(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const {
  if (generation_ - generation <= kRecent) {
    for (uint64_t g = generation + 1; g <= generation_; ++g) {
      const Entry& entry = recent_[g % kRecent];
      if (entry.slot != kNoSlot && epochs.Has(entry.epoch)) out.push_back(entry.slot);
    }
    return;
  }
  for (size_t i = 0; i < kNodeEpochCount; ++i) {
    if (!epochs.Has(static_cast<Epoch>(i))) continue;
    for (Slot slot = 0; slot < nodes_[i].size(); ++slot) {
      if (nodes_[i][slot] > generation) out.push_back(slot);
    }
  }
}

}  // namespace berth::scheduler
