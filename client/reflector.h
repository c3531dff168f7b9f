// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "base/log.h"
#include "client/reflector_loop.h"
#include "client/store.h"

namespace berth::client {

// Extract is what a reflector keeps of an object of which it need not keep all: enough to tell its
// versions apart and to say which one is gone, and what else somebody will ask the store for.
template <class K, class T>
concept Extract = requires(const K& kept, const std::shared_ptr<const T>& object) {
  { K::Of(object) } -> std::same_as<K>;
  { kept.uid } -> std::convertible_to<std::string>;
  { kept.resource_version } -> std::convertible_to<std::string>;
};

// ReflectorHandler hears of every change of a kind, on the reflector's thread; post it on and
// return. After a list it hears the difference to what it knew: nothing is deleted that only went
// unseen for a while, and nothing is left that is gone.
template <class T, class Kept = T>
class ReflectorHandler {
 public:
  virtual ~ReflectorHandler() = default;

  // OnEvent: `old` is what was kept of the state known before, nullptr for kAdded. For kDeleted
  // `object` is the last state (of the server's event, or the known one when the deletion was seen
  // by a list); nullptr when that was not kept.
  virtual void OnEvent(EventType type, std::shared_ptr<const T> object,
                       std::shared_ptr<const Kept> old) = 0;

  // OnSynced comes once, after the events of the first list.
  virtual void OnSynced() {}
};

// Reflector keeps a store and a handler equal to the API server, on a thread of its own, until it
// is stopped or destroyed. The store holds whole objects, or an Extract of each. An object that
// cannot be decoded is logged with its name and left as it was known; the rest goes on.
template <class T, class Kept = T>
requires(std::same_as<Kept, T> || Extract<Kept, T>) class Reflector final : private ObjectSink {
 public:
  // Requires: client, clock and handler outlive this. `handler` may be nullptr: the store alone.
  Reflector(Client& client, ReflectorOptions options, const Clock& clock,
            ReflectorHandler<T, Kept>* handler = nullptr)
      : handler_(handler), loop_(client, T::kResource, std::move(options), clock, *this) {}
  ~Reflector() override { loop_.Stop(); }

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }
  ReflectorStatus status() const { return loop_.status(); }
  const Store<Kept>& store() const { return store_; }

 private:
  using Object = std::shared_ptr<const T>;
  using Old = std::shared_ptr<const Kept>;
  static constexpr bool kKeepsAll = std::same_as<Kept, T>;

  // What the two kinds of stores differ in.
  static Old KeptOf(const Object& object) {
    if constexpr (kKeepsAll) {
      return object;
    } else {
      return std::make_shared<const Kept>(Kept::Of(object));
    }
  }
  static Object LastState(const Old& old) {
    if constexpr (kKeepsAll) {
      return old;
    } else {
      return nullptr;
    }
  }
  static const auto& VersionOf(const Kept& kept) {
    if constexpr (kKeepsAll) {
      return kept.metadata;
    } else {
      return kept;
    }
  }

  static StoreKey KeyOf(const api::ObjectMeta& metadata) {
    return {metadata.namespace_, metadata.name};
  }

  void Replace(const std::vector<std::string>& texts) override {
    std::set<StoreKey> gone;
    for (StoreKey& key : store_.Keys()) gone.insert(std::move(key));
    for (const std::string& text : texts) {
      auto decoded = json::Decode<T>(text);
      if (decoded) {
        gone.erase(KeyOf(decoded->metadata));
        Keep(std::make_shared<const T>(std::move(*decoded)));
      } else {
        gone.erase(LogUnreadable(text, decoded.error()));
      }
    }
    for (const StoreKey& key : gone) {
      Old old = store_.Remove(key);
      if (handler_) handler_->OnEvent(EventType::kDeleted, LastState(old), old);
    }
  }

  std::string Change(EventType type, const std::string& text) override {
    auto decoded = json::Decode<T>(text);
    if (!decoded) {
      LogUnreadable(text, decoded.error());
      return "";
    }
    auto object = std::make_shared<const T>(std::move(*decoded));
    std::string version = object->metadata.resource_version;
    if (type == EventType::kDeleted) {
      Drop(std::move(object));
    } else {
      Keep(std::move(object));
    }
    return version;
  }

  void Synced() override {
    if (handler_) handler_->OnSynced();
  }

  // Keep stores a state and tells it as what it is to us: new, changed, another object of the same
  // name, or known already.
  void Keep(Object object) {
    Old old = store_.Put(KeyOf(object->metadata), KeptOf(object));
    if (!handler_) return;
    if (old && VersionOf(*old).uid != object->metadata.uid) {
      handler_->OnEvent(EventType::kDeleted, LastState(old), old);
      old = nullptr;
    }
    if (old && VersionOf(*old).resource_version == object->metadata.resource_version) return;
    const EventType type = old ? EventType::kModified : EventType::kAdded;
    handler_->OnEvent(type, std::move(object), std::move(old));
  }

  void Drop(Object object) {
    Old old = store_.Remove(KeyOf(object->metadata));
    if (old && handler_) handler_->OnEvent(EventType::kDeleted, std::move(object), std::move(old));
  }

  static StoreKey LogUnreadable(const std::string& text, const Error& error) {
    StoreKey key;
    if (auto header = json::Decode<api::ObjectHeader>(text)) key = KeyOf(header->metadata);
    log::Warn("Ignored an object that could not be read", {{"resource", T::kResource.plural},
                                                           {"namespace", key.first},
                                                           {"name", key.second},
                                                           {"err", error}});
    return key;
  }

  Store<Kept> store_;
  ReflectorHandler<T, Kept>* const handler_;
  ReflectorLoop loop_;  // last: its thread uses the rest
};

}  // namespace berth::client
