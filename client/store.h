// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace berth::client {

// StoreKey orders objects by namespace, then name.
using StoreKey = std::pair<std::string, std::string>;

// AnyStore holds the newest known state of the objects of one kind, or what an informer keeps of
// it, whatever their type; Store<T> says the type. Thread safe: an informer writes, anybody reads;
// what is handed out never changes.
class AnyStore {
 public:
  using Object = std::shared_ptr<const void>;

  // Get gives the object or nullptr.
  Object Get(const std::string& ns, const std::string& name) const;
  // List gives all objects at one instant, by namespace and name.
  std::vector<Object> List() const;
  std::vector<StoreKey> Keys() const;
  size_t size() const;

  // Put and Remove give what was there before, or nullptr.
  Object Put(StoreKey key, Object object);
  Object Remove(const StoreKey& key);

 private:
  mutable std::shared_mutex mutex_;  // guards objects_
  std::map<StoreKey, Object> objects_;
};

// Store is how an AnyStore of T is read.
template <class T>
class Store {
 public:
  using Object = std::shared_ptr<const T>;

  // Requires: `objects` holds objects of type T, and outlives this.
  explicit Store(const AnyStore& objects) : objects_(objects) {}

  Object Get(const std::string& ns, const std::string& name) const {
    return std::static_pointer_cast<const T>(objects_.Get(ns, name));
  }

  std::vector<Object> List() const {
    std::vector<Object> objects;
    objects.reserve(objects_.size());
    for (AnyStore::Object& object : objects_.List()) {
      objects.push_back(std::static_pointer_cast<const T>(std::move(object)));
    }
    return objects;
  }

  size_t size() const { return objects_.size(); }

 private:
  const AnyStore& objects_;
};

}  // namespace berth::client
