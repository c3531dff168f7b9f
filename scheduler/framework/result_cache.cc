// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/result_cache.h"

namespace berth::scheduler {

void ResultCache::Clear() {
  by_key_.clear();
  items_.clear();
  statistics_.bytes = 0;
}

ResultCacheStatistics ResultCache::statistics() const {
  ResultCacheStatistics statistics = statistics_;
  statistics.items = items_.size();
  return statistics;
}

Cached* ResultCache::Find(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  items_.splice(items_.begin(), items_, found->second);
  found->second->in_use = true;
  return found->second->content.get();
}

Cached& ResultCache::Add(std::string_view key, std::unique_ptr<Cached> content) {
  items_.push_front({std::string(key), std::move(content), 0, true});
  by_key_.emplace(items_.front().key, items_.begin());
  return *items_.front().content;
}

void ResultCache::Trim() {
  // The items used since the last call are at the front of the list.
  for (Item& item : items_) {
    if (!item.in_use) break;
    item.in_use = false;
    statistics_.bytes -= item.bytes;
    item.bytes = item.content->Bytes() + item.key.size() + sizeof(Item);
    statistics_.bytes += item.bytes;
  }
  while (statistics_.bytes > max_bytes_ && !items_.empty()) {
    statistics_.bytes -= items_.back().bytes;
    by_key_.erase(items_.back().key);
    items_.pop_back();
    ++statistics_.evictions;
  }
}

}  // namespace berth::scheduler
