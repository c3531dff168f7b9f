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
  // VisitAfter shows up to `limit` objects behind this key, or from the first on, in their order.
  // Gives the last of them; nothing: there are none behind. The visitor must not write.
  using Visit = std::function<void(const StoreKey& key, const Object& object)>;
  std::optional<StoreKey> VisitAfter(const std::optional<StoreKey>& key, size_t limit,
                                     const Visit& visit) const;

  // An informer holds `changes` from before it stores a change until all listeners have heard of
  // it: who holds it sees a store of which they have heard everything. To be held shortly, and never
  // by a listener.
  std::mutex& changes() const { return changes_; }

  // Put and Remove give what was there before, or nullptr.
  Object Put(StoreKey key, Object object);
  Object Remove(const StoreKey& key);

 private:
  mutable std::mutex changes_;
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
