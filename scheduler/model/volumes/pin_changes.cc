// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/pin_changes.h"

namespace berth::scheduler {

bool PinChanges::Touch(const std::optional<LabelPin>& pin) {
  if (!pin) return false;
  size_t count = 0;
  for (const std::string& value : pin->values) count += nodes_.With(pin->key, value).size();
  if (count > kFew) return false;
  for (const std::string& value : pin->values) {
    for (const Slot slot : nodes_.With(pin->key, value)) {
      changes_.Touch(slot, Epoch::kNodeVolumes);
    }
  }
  return true;
}

}  // namespace berth::scheduler
