// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace berth::engine {

// DebouncedCount decides when a count is reported, if each report costs a write: when it has
// differed from the reported value for kDiffers, but at most once in kEvery. Pods that are placed
// at once thus cause no report. The first count is reported at once.
class DebouncedCount {
 public:
  static constexpr std::chrono::seconds kDiffers{1};
  static constexpr std::chrono::seconds kEvery{5};

  // Stores the newest count. Returns true if it has to be reported now.
  bool Update(uint64_t count, SteadyTime now);

  // Reports whether the newest count is the reported one. If not, call Update again within a
  // second, even if the count does not change.
  bool IsReported() const { return !differs_since_; }
  std::optional<uint64_t> reported() const { return reported_; }

 private:
  std::optional<uint64_t> reported_;
  SteadyTime reported_at_{};
  std::optional<SteadyTime> differs_since_;
};

}  // namespace berth::engine
