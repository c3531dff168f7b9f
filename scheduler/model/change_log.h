// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scheduler/model/epoch.h"

namespace berth::scheduler {

// ChangeLog records the generation of the last change of each epoch. All epochs share one sequence
// of generations, and no value is used twice. It can list the slots that changed since a generation
// without scanning all slots, if that generation is recent. Owned by the cache.
//
// Invariant: the generation of an epoch only grows, also when a slot is reused. Touch assigns the
// next value of the sequence, and Resize keeps the existing ones.
class ChangeLog {
 public:
  void Resize(size_t slots);
  void Touch(Slot slot, Epoch epoch);  // Requires: a node epoch
  void Touch(Epoch epoch);             // Requires: a cluster epoch

  uint64_t generation() const { return generation_; }
  uint64_t Of(Slot slot, Epoch epoch) const { return nodes_[static_cast<size_t>(epoch)][slot]; }
  uint64_t Of(Epoch epoch) const { return cluster_[static_cast<size_t>(epoch)]; }

  // Appends the slots for which one of `epochs` changed after `generation`. A slot may be repeated.
  void Since(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const;

 private:
  // A ring with one entry for each of the last kRecent generations. For an older generation all
  // slots are compared, which then costs no more than reading the entries.
  static constexpr size_t kRecent = 4096;
  struct Entry {
    Slot slot = kNoSlot;  // kNoSlot: a cluster epoch
    Epoch epoch = Epoch::kNodeObject;
  };

  std::array<std::vector<uint64_t>, kNodeEpochCount> nodes_;  // by slot
  std::array<uint64_t, kEpochCount> cluster_{};
  std::array<Entry, kRecent> recent_{};  // generation g is at g % kRecent
  uint64_t generation_ = 0;
};

}  // namespace berth::scheduler
