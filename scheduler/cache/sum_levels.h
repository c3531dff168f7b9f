// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::scheduler {

// SumLevels says how many domains have each sum, so that the lowest is at hand. Distinct sums are
// few: with p pods there are less than the root of 2p. Owned by a DomainSums. Invariant: sorted by
// sum; no level is empty.
class SumLevels {
 public:
  SumLevels() = default;
  explicit SumLevels(std::vector<uint32_t> sums);  // of many domains at once

  void Add(uint32_t sum);
  void Remove(uint32_t sum);  // Requires: added more often than removed
  // Raise and Lower move a domain of this sum to the next one, above or below.
  void Raise(uint32_t sum);
  void Lower(uint32_t sum);

  size_t domains() const { return domains_; }
  uint32_t lowest() const { return levels_.empty() ? 0 : levels_.front().sum; }
  // LowestBut leaves out one domain, which has this sum; 0 when it is the only one.
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
