// SPDX-License-Identifier: Apache-2.0
#include "engine/debounced_count.h"

namespace berth::engine {

bool DebouncedCount::Update(uint64_t count, SteadyTime now) {
  if (count == reported_) {
    differs_since_.reset();
    return false;
  }
  if (!differs_since_) differs_since_ = now;
  if (reported_ && (now < *differs_since_ + kDiffers || now < reported_at_ + kEvery)) return false;
  reported_ = count;
  reported_at_ = now;
  differs_since_.reset();
  return true;
}

}  // namespace berth::engine
