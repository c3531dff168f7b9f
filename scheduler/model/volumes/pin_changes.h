// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "scheduler/model/change_log.h"
#include "scheduler/model/volumes/label_nodes.h"
#include "scheduler/model/volumes/volume_affinity.h"

namespace berth::scheduler {

// PinChanges reports changes of objects that nodes reach by a pin. It touches Epoch::kNodeVolumes
// of these nodes if they are few. Owned by the VolumeStore.
class PinChanges {
 public:
  // Requires: both outlive this object.
  PinChanges(ChangeLog& changes, LabelNodes& nodes) : changes_(changes), nodes_(nodes) {}

  LabelNodes& nodes() { return nodes_; }
  // Touches the nodes of the pin. Returns false and touches none if they are many, or without a
  // pin.
  bool Touch(const std::optional<LabelPin>& pin);
  // Returns a version that was not used before.
  uint64_t NextVersion() { return ++version_; }

 private:
  static constexpr size_t kFew = 64;

  ChangeLog& changes_;
  LabelNodes& nodes_;
  uint64_t version_ = 0;
};

}  // namespace berth::scheduler
