// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace berth::client {

// StoreKey orders objects by namespace, then name.
using StoreKey = std::pair<std::string, std::string>;

// AnyStore holds the newest known objects of one kind (or their extracts), type-erased; Store<T>
// adds the type. Thread safe: an informer writes, any thread reads. Returned objects never change.
class AnyStore {
 public:
  using Object = std::shared_ptr<const void>;

  // Returns the object, or nullptr.
  Object Get(const std::string& ns, const std::string& name) const;
  // Returns all objects at one instant, by namespace and name.
  std::vector<Object> List() const;
  std::vector<StoreKey> Keys() const;
  size_t size() const;
  // Visits up to `limit` objects behind this key, or from the first on, in order. Returns the key
  // of the last one; nullopt if no objects follow it. The visitor must not write.
  using Visit = std::function<void(const StoreKey& key, const Object& object)>;
  std::optional<StoreKey> VisitAfter(const std::optional<StoreKey>& key, size_t limit,
                                     const Visit& visit) const;

  // Locked by the informer from before it stores a change until all listeners have returned. While
  // a caller holds it, the listeners have seen exactly the stored state. Hold it briefly, and never
  // in a listener.
  std::mutex& changes() const { return changes_; }

  // Put and Remove return the previous object, or nullptr.
  Object Put(StoreKey key, Object object);
  Object Remove(const StoreKey& key);

 private:
  mutable std::mutex changes_;
  mutable std::shared_mutex mutex_;  // guards objects_
  std::map<StoreKey, Object> objects_;
};

// Store is a typed view of an AnyStore.
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

  std::optional<StoreKey> VisitAfter(
      const std::optional<StoreKey>& key, size_t limit,
      const std::function<void(const StoreKey& key, const Object& object)>& visit) const {
    return objects_.VisitAfter(key, limit,
                               [&visit](const StoreKey& at, const AnyStore::Object& object) {
                                 visit(at, std::static_pointer_cast<const T>(object));
                               });
  }

  std::mutex& changes() const { return objects_.changes(); }

 private:
  const AnyStore& objects_;
};

}  // namespace berth::client
