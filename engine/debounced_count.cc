// SPDX-License-Identifier: Apache-2.0
#include "engine/debounced_count.h"

namespace berth::engine {

bool DebouncedCount::Take(uint64_t count, SteadyTime now) {
  if (count == told_) {
    differs_since_.reset();
    return false;
  }
  if (!differs_since_) differs_since_ = now;
  if (told_ && (now < *differs_since_ + kDiffers || now < told_at_ + kEvery)) return false;
  told_ = count;
  told_at_ = now;
  differs_since_.reset();
  return true;
}

}  // namespace berth::engine
