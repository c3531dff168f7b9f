// SPDX-License-Identifier: Apache-2.0
#include "client/store.h"

namespace berth::client {

AnyStore::Object AnyStore::Get(const std::string& ns, const std::string& name) const {
  std::shared_lock lock(mutex_);
  const auto found = objects_.find(StoreKey(ns, name));
  return found == objects_.end() ? nullptr : found->second;
}

std::vector<AnyStore::Object> AnyStore::List() const {
  std::shared_lock lock(mutex_);
  std::vector<Object> objects;
  objects.reserve(objects_.size());
  for (const auto& [key, object] : objects_) objects.push_back(object);
  return objects;
}

std::vector<StoreKey> AnyStore::Keys() const {
  std::shared_lock lock(mutex_);
  std::vector<StoreKey> keys;
  keys.reserve(objects_.size());
  for (const auto& [key, object] : objects_) keys.push_back(key);
  return keys;
}

size_t AnyStore::size() const {
  std::shared_lock lock(mutex_);
  return objects_.size();
}

std::optional<StoreKey> AnyStore::VisitAfter(const std::optional<StoreKey>& key, size_t limit,
                                             const Visit& visit) const {
  std::shared_lock lock(mutex_);
  auto at = key ? objects_.upper_bound(*key) : objects_.begin();
  std::optional<StoreKey> last;
  for (size_t i = 0; i < limit && at != objects_.end(); ++i, ++at) {
    visit(at->first, at->second);
    if (i + 1 == limit && std::next(at) != objects_.end()) last = at->first;
  }
  return last;
}

AnyStore::Object AnyStore::Put(StoreKey key, Object object) {
  std::unique_lock lock(mutex_);
  return std::exchange(objects_[std::move(key)], std::move(object));
}

AnyStore::Object AnyStore::Remove(const StoreKey& key) {
  std::unique_lock lock(mutex_);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return nullptr;
  Object object = std::move(found->second);
  objects_.erase(found);
  return object;
}

}  // namespace berth::client
