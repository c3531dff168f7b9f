// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace berth::scheduler {

// ResultCacheStatistics are the figures for metrics. Results are counted per slot.
struct ResultCacheStatistics {
  uint64_t kept = 0;       // results taken from the cache
  uint64_t computed = 0;   // results computed by a plugin
  uint64_t evictions = 0;  // items dropped because the cache was full
  size_t items = 0;        // result columns and rankings
  size_t bytes = 0;
};

// Cached is an item of the cache.
class Cached {
 public:
  virtual ~Cached() = default;
  virtual size_t Bytes() const = 0;
};

// ResultCache keeps plugin results (result_column.h) and rankings (ranking.h) from one attempt to
// the next, for one cluster (Snapshot) and one set of profiles. It saves work and changes no
// result. Owned by the scheduling thread.
class ResultCache {
 public:
  static constexpr size_t kDefaultBytes = size_t{64} << 20;

  // Keeps up to `max_bytes` of the most recently used items.
  explicit ResultCache(size_t max_bytes = kDefaultBytes) : max_bytes_(max_bytes) {}
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  // Drops all items. Must be called when profiles are replaced: keys contain plugin addresses.
  void Clear();
  ResultCacheStatistics statistics() const;

  // Returns the item with `key`, creating it with `make() -> unique_ptr<T>` if it is missing.
  // Requires: a key is always used with the same T. The reference is valid until Trim.
  template <class T, class Make>
  T& FindOrMake(std::string_view key, Make&& make) {
    if (Cached* found = Find(key)) return static_cast<T&>(*found);
    return static_cast<T&>(Add(key, make()));
  }
  // Ends an attempt: drops the least recently used items until the rest fits into max_bytes.
  void Trim();

  void Count(size_t cached, size_t computed) {
    statistics_.kept += cached;
    statistics_.computed += computed;
  }

 private:
  struct Item {
    std::string key;
    std::unique_ptr<Cached> content;
    size_t bytes = 0;     // as counted by the last Trim
    bool in_use = false;  // since the last Trim
  };
  using Items = std::list<Item>;

  Cached* Find(std::string_view key);
  Cached& Add(std::string_view key, std::unique_ptr<Cached> content);

  const size_t max_bytes_;
  Items items_;  // most recently used first
  std::unordered_map<std::string_view, Items::iterator> by_key_;
  ResultCacheStatistics statistics_;
};

}  // namespace berth::scheduler
