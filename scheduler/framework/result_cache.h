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

// ResultCacheStatistics is what metrics show. Answers are counted per slot.
struct ResultCacheStatistics {
  uint64_t kept = 0;       // answers of plugins that were at hand
  uint64_t computed = 0;   // answers that a plugin was asked for
  uint64_t evictions = 0;  // items given up for want of room
  size_t items = 0;        // columns of answers, and rankings
  size_t bytes = 0;
};

// Cached is something that is worth caching from one attempt to the next.
class Cached {
 public:
  virtual ~Cached() = default;
  virtual size_t Bytes() const = 0;
};

// Reuse keeps the answers of plugins (result_column.h) and what follows from them (ranking.h) from
// one attempt to the next, for one cluster (Snapshot) and one set of profiles, so that work is not
// repeated. It changes no result. Owned by the scheduling thread.
class ResultCache {
 public:
  static constexpr size_t kDefaultBytes = size_t{64} << 20;

  // Up to `max_bytes` are cached, of what was used last.
  explicit ResultCache(size_t max_bytes = kDefaultBytes) : max_bytes_(max_bytes) {}
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  // Clear forgets everything. To be called when profiles are exchanged: keys name their plugins by
  // address.
  void Clear();
  ResultCacheStatistics statistics() const;

  // FindOrMake gives what is cached under `key`, after making it by `make() -> unique_ptr<T>` if
  // there is nothing. Requires: a key is always used with the same T. The reference is good until
  // Trim.
  template <class T, class Make>
  T& FindOrMake(std::string_view key, Make&& make) {
    if (Cached* found = Find(key)) return static_cast<T&>(*found);
    return static_cast<T&>(Add(key, make()));
  }
  // Trim ends an attempt: what was used longest ago is given up until the rest has room.
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
  Items items_;  // what was used last comes first
  std::unordered_map<std::string_view, Items::iterator> by_key_;
  ResultCacheStatistics statistics_;
};

}  // namespace berth::scheduler
