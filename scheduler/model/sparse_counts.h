// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth::scheduler {

// Domain is the number of a topology key's value among the nodes. The number is reused when no node
// has the value any longer.
using Domain = uint32_t;
inline constexpr Domain kNoDomain = ~Domain{0};

// SparseCounts counts in a few of many domains. Memory is proportional to the domains with a count,
// and changes take constant time.
//
// Invariant: an entry's count is not 0, and no two entries have the same domain.
class SparseCounts {
 public:
  struct Entry {
    Domain domain = kNoDomain;
    uint32_t count = 0;
    bool operator==(const Entry&) const = default;
  };

  // Returns the domains with a count, unordered.
  std::span<const Entry> Entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  uint32_t At(Domain domain) const;

  void Increase(Domain domain);
  void Decrease(Domain domain);  // Requires: At(domain) > 0

 private:
  // Hash table from domain to the index in entries_ plus one; 0 is a free bucket. The number of
  // buckets is a power of two, and at most half are used. Up to kSearched entries are searched
  // linearly instead.
  static constexpr size_t kSearched = 8;

  size_t Find(Domain domain) const;  // index in entries_, or entries_.size()
  size_t Bucket(Domain domain) const;
  void Append(Domain domain);
  void Erase(size_t place);
  void Index(size_t place);
  void Unindex(Domain domain);
  void Rebuild(size_t buckets);

  std::vector<Entry> entries_;
  std::vector<uint32_t> index_;
};

}  // namespace berth::scheduler
