// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::scheduler {

// SumLevels is a histogram of the sums of domains; it keeps the lowest sum available. Distinct sums
// are few: p pods have fewer than sqrt(2p). Owned by a DomainSums. Invariant: sorted by sum; no
// level is empty.
class SumLevels {
 public:
  SumLevels() = default;
  explicit SumLevels(std::vector<uint32_t> sums);  // of all domains at once

  void Add(uint32_t sum);
  void Remove(uint32_t sum);  // Requires: added before
  // Raise and Lower change the sum of one domain from `sum` by one.
  void Raise(uint32_t sum);
  void Lower(uint32_t sum);

  size_t domains() const { return domains_; }
  uint32_t lowest() const { return levels_.empty() ? 0 : levels_.front().sum; }
  // Returns the lowest sum without one domain of this sum; 0 if that is the only domain.
  uint32_t LowestBut(uint32_t sum) const;

 private:
  struct Level {
    uint32_t sum;
    uint32_t domains;
  };
  std::vector<Level>::iterator Find(uint32_t sum);

  std::vector<Level> levels_;
  size_t domains_ = 0;
};

}  // namespace berth::scheduler
