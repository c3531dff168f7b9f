// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/sparse_counts.h"

#include <bit>

namespace berth::scheduler {

// Returns the bucket of an indexed domain, or the free bucket at which the search for it ends.
size_t SparseCounts::Bucket(Domain domain) const {
  const size_t mask = index_.size() - 1;
  // Domains are consecutive small numbers; multiplying by 2^32 / phi spreads them.
  size_t bucket = (domain * 0x9E3779B1u) & mask;
  while (index_[bucket] != 0 && entries_[index_[bucket] - 1].domain != domain) {
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}

size_t SparseCounts::Find(Domain domain) const {
  if (!index_.empty()) {
    const uint32_t found = index_[Bucket(domain)];
    return found == 0 ? entries_.size() : found - 1;
  }
  size_t place = 0;
  while (place < entries_.size() && entries_[place].domain != domain) ++place;
  return place;
}

uint32_t SparseCounts::At(Domain domain) const {
  const size_t place = Find(domain);
  return place == entries_.size() ? 0 : entries_[place].count;
}

void SparseCounts::Increase(Domain domain) {
  const size_t place = Find(domain);
  if (place == entries_.size()) return Append(domain);
  ++entries_[place].count;
}

void SparseCounts::Decrease(Domain domain) {
  const size_t place = Find(domain);
  if (--entries_[place].count == 0) Erase(place);
}

void SparseCounts::Append(Domain domain) {
  entries_.push_back({domain, 1});
  if (index_.empty() && entries_.size() <= kSearched) return;
  if (index_.size() < 2 * entries_.size()) return Rebuild(std::bit_ceil(4 * entries_.size()));
  Index(entries_.size() - 1);
}

void SparseCounts::Erase(size_t place) {
  const Domain last = entries_.back().domain;
  if (!index_.empty()) {
    Unindex(entries_[place].domain);
    if (place + 1 != entries_.size()) index_[Bucket(last)] = static_cast<uint32_t>(place + 1);
  }
  entries_[place] = entries_.back();
  entries_.pop_back();
  if (entries_.size() <= kSearched / 2) index_.clear();
  if (index_.size() > 16 * entries_.size()) Rebuild(std::bit_ceil(4 * entries_.size()));
}

void SparseCounts::Index(size_t place) {
  index_[Bucket(entries_[place].domain)] = static_cast<uint32_t>(place + 1);
}

// Frees a bucket and moves the entries that a collision pushed beyond it, because a search ends at
// the first free bucket.
void SparseCounts::Unindex(Domain domain) {
  const size_t mask = index_.size() - 1;
  size_t bucket = Bucket(domain);
  index_[bucket] = 0;
  for (bucket = (bucket + 1) & mask; index_[bucket] != 0; bucket = (bucket + 1) & mask) {
    const uint32_t moved = index_[bucket];
    index_[bucket] = 0;
    Index(moved - 1);
  }
}

void SparseCounts::Rebuild(size_t buckets) {
  index_.assign(buckets, 0);
  index_.shrink_to_fit();
  for (size_t place = 0; place < entries_.size(); ++place) Index(place);
}

}  // namespace berth::scheduler
