// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace berth::scheduler {

// ReuseStatistics is what metrics show. Answers are counted per slot.
struct ReuseStatistics {
  uint64_t kept = 0;       // answers that were at hand
  uint64_t computed = 0;   // answers that a plugin was asked for
  uint64_t evictions = 0;  // columns given up for want of room
  size_t columns = 0;
  size_t bytes = 0;
};

// Reuse keeps the answers of plugins from one attempt to the next, for one cluster (Snapshot) and
// one set of profiles. It changes no result. Owned by the scheduling thread.
class Reuse {
 public:
  static constexpr size_t kDefaultBytes = size_t{64} << 20;

  // Up to `max_bytes` of answers are kept, those that were used last.
  explicit Reuse(size_t max_bytes = kDefaultBytes);
  ~Reuse();
  Reuse(const Reuse&) = delete;
  Reuse& operator=(const Reuse&) = delete;

  // Clear forgets everything. Call it when the profiles are exchanged.
  void Clear();
  ReuseStatistics statistics() const;

 private:
  size_t max_bytes_;
};

}  // namespace berth::scheduler
