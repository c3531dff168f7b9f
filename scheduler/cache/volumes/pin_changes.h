// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "scheduler/cache/change_log.h"
#include "scheduler/cache/volumes/label_nodes.h"
#include "scheduler/cache/volumes/volume_affinity.h"

namespace berth::scheduler {

// PinChanges says what became stale when something changed that nodes reach by a pin: these nodes
// (Epoch::kNodeVolumes), as long as they are few. Owned by the VolumeStore.
class PinChanges {
 public:
  // Requires: both outlive this.
  PinChanges(ChangeLog& changes, LabelNodes& nodes) : changes_(changes), nodes_(nodes) {}

  LabelNodes& nodes() { return nodes_; }
  // Touch says false, and touches nothing, where that is many nodes, or may be any.
  bool Touch(const std::optional<LabelPin>& pin);
  // NextVersion is one that nothing had before.
  uint64_t NextVersion() { return ++version_; }

 private:
  static constexpr size_t kFew = 64;

  ChangeLog& changes_;
  LabelNodes& nodes_;
  uint64_t version_ = 0;
};

}  // namespace berth::scheduler
