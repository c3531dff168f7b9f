// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace berth::engine {

// DebouncedCount says when a figure that others pay for with writes is told again: when it has
// differed from what was told last for a second, so that pods which are placed at once cost
// nothing, and five seconds after the last time at the earliest. The first is told at once.
class DebouncedCount {
 public:
  static constexpr std::chrono::seconds kDiffers{1};
  static constexpr std::chrono::seconds kEvery{5};

  // Take takes the newest figure; true: it is now told.
  bool Take(uint64_t count, SteadyTime now);

  // IsSettled says that the newest figure is the one told. Otherwise Take is to be called again
  // within a second, though nothing changed.
  bool IsSettled() const { return !differs_since_; }
  std::optional<uint64_t> told() const { return told_; }

 private:
  std::optional<uint64_t> told_;
  SteadyTime told_at_{};
  std::optional<SteadyTime> differs_since_;
};

}  // namespace berth::engine
