// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace berth {

// Piecemeal goes over a hash map that changes between its steps, a piece in each: what is in the
// map from the first step to the last is visited, whatever comes and goes meanwhile. A map that
// grows puts its elements elsewhere, so it is begun anew; since it at least doubles then, the steps
// end. For std::unordered_map, whose elements stay in their bucket as long as there are as many.
class IncrementalVisitor {
 public:
  // Step visits about `count` elements, or so many buckets without any. Says whether that was the
  // last step; the next one begins again.
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
