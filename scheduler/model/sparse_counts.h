// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth::scheduler {

// Domain is a value of a topology key among the nodes, as a number; one that no node has any more
// is given to another value.
using Domain = uint32_t;
inline constexpr Domain kNoDomain = ~Domain{0};

// SparseCounts counts in few of many domains. It takes room for the domains that count something,
// and a change costs the same however many these are.
//
// Invariant: an entry's count is not 0, and no two entries have the same domain.
class SparseCounts {
 public:
  struct Entry {
    Domain domain = kNoDomain;
    uint32_t count = 0;
    bool operator==(const Entry&) const = default;
  };

  // Entries are those that count something, in no order.
  std::span<const Entry> Entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  uint32_t At(Domain domain) const;

  void Increase(Domain domain);
  void Decrease(Domain domain);  // Requires: At(domain) > 0

 private:
  // Where the place of a domain is looked up: positions in entries_ plus one, 0 for none; a power
  // of two of them, at most half of which are taken. Few entries are searched instead.
  static constexpr size_t kSearched = 8;

  size_t Find(Domain domain) const;  // its place in entries_, or their number
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
