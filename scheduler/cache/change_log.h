// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scheduler/model/epoch.h"

namespace berth::scheduler {

// ChangeLog remembers when each epoch changed last, in generations: one sequence for all epochs, in
// which no value is given twice. It can name the slots that changed since a generation without
// looking at the others, as long as not too much has happened since. Owned by the cache. Invariant:
// the generation of an epoch only grows, because Touch gives it the next of the sequence and Resize
// keeps what there is; also when a slot is used again.
class ChangeLog {
 public:
  void Resize(size_t slots);
  void Touch(Slot slot, Epoch epoch);  // Requires: an epoch of nodes
  void Touch(Epoch epoch);             // Requires: an epoch of the cluster

  uint64_t generation() const { return generation_; }
  uint64_t Of(Slot slot, Epoch epoch) const { return nodes_[static_cast<size_t>(epoch)][slot]; }
  uint64_t Of(Epoch epoch) const { return cluster_[static_cast<size_t>(epoch)]; }

  // Since appends the slots of which one of `epochs` changed after `generation`; a slot may come
  // more than once.
  void Since(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const;

 private:
  // One entry for each of the last kRecent generations, a ring. For a generation before those all
  // slots are compared, which then costs no more than reading the entries would.
  static constexpr size_t kRecent = 4096;
  struct Entry {
    Slot slot = kNoSlot;  // none: an epoch of the cluster
    Epoch epoch = Epoch::kNodeObject;
  };

  std::array<std::vector<uint64_t>, kNodeEpochCount> nodes_;  // by slot
  std::array<uint64_t, kEpochCount> cluster_{};
  std::array<Entry, kRecent> recent_{};  // of generation g at g % kRecent
  uint64_t generation_ = 0;
};

}  // namespace berth::scheduler
