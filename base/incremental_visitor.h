// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace berth {

// IncrementalVisitor iterates over a hash map in small steps while the map changes between steps.
// An element that is present from the first to the last step is visited, regardless of other
// insertions and deletions. A rehash moves elements, so the iteration restarts. Each rehash at
// least doubles the buckets, so the iteration ends. For std::unordered_map, which keeps elements in
// their bucket until it rehashes.
class IncrementalVisitor {
 public:
  // Visits about `count` elements or `count` empty buckets. Returns true if that was the last step;
  // the next call starts over.
  template <class Map, class Visit>
  bool Step(const Map& map, size_t count, Visit&& visit) {
    if (buckets_ != map.bucket_count()) {
      buckets_ = map.bucket_count();
      bucket_ = 0;
    }
    for (size_t looked_at = 0; looked_at < count && bucket_ < buckets_; ++bucket_) {
      ++looked_at;
      for (auto at = map.begin(bucket_); at != map.end(bucket_); ++at, ++looked_at) visit(*at);
    }
    if (bucket_ < buckets_) return false;
    bucket_ = 0;
    return true;
  }

 private:
  size_t buckets_ = 0;
  size_t bucket_ = 0;
};

}  // namespace berth
