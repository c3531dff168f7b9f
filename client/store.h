// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::client {

// StoreKey orders objects by namespace, then name.
using StoreKey = std::pair<std::string, std::string>;

// Store holds the newest known state of the objects of one kind, or what a reflector keeps of it.
// Thread safe: a reflector writes, anybody reads; what is handed out never changes.
template <class T>
class Store {
 public:
  using Object = std::shared_ptr<const T>;

  // Get gives the object or nullptr.
  Object Get(const std::string& ns, const std::string& name) const {
    std::shared_lock lock(mutex_);
    const auto found = objects_.find(StoreKey(ns, name));
    return found == objects_.end() ? nullptr : found->second;
  }

  // List gives all objects at one instant, by namespace and name.
  std::vector<Object> List() const {
    std::shared_lock lock(mutex_);
    std::vector<Object> objects;
    objects.reserve(objects_.size());
    for (const auto& [key, object] : objects_) objects.push_back(object);
    return objects;
  }

  std::vector<StoreKey> Keys() const {
    std::shared_lock lock(mutex_);
    std::vector<StoreKey> keys;
    keys.reserve(objects_.size());
    for (const auto& [key, object] : objects_) keys.push_back(key);
    return keys;
  }

  size_t size() const {
    std::shared_lock lock(mutex_);
    return objects_.size();
  }

  // Put gives what was there before, or nullptr.
  Object Put(StoreKey key, Object object) {
    std::unique_lock lock(mutex_);
    return std::exchange(objects_[std::move(key)], std::move(object));
  }

  // Remove gives what was there, or nullptr.
  Object Remove(const StoreKey& key) {
    std::unique_lock lock(mutex_);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return nullptr;
    Object object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  mutable std::shared_mutex mutex_;  // guards objects_
  std::map<StoreKey, Object> objects_;
};

}  // namespace berth::client
