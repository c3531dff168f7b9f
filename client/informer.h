// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/change.h"
#include "base/json/type.h"
#include "client/reflector_loop.h"
#include "client/store.h"

namespace berth::client {

// ObjectType describes the object type of an informer and the form it stores, so that the informer
// code is compiled once.
struct ObjectType {
  using Object = std::shared_ptr<const void>;

  const api::ResourceInfo& resource;
  json::Type::Ref description;
  std::shared_ptr<void> (*make)();  // creates an object to decode into
  const api::ObjectMeta& (*metadata)(const void* object);

  // Set if only an Extract is stored; all null: the whole object is stored.
  Object (*extract)(const Object& object) = nullptr;
  const std::string& (*uid)(const void* extract) = nullptr;
  const std::string& (*resource_version)(const void* extract) = nullptr;

  // Set for kinds that are read in several versions: T has kOldVersions and api_version.
  std::span<const std::string_view> old_versions = {};
  void (*set_api_version)(void* object, std::string version) = nullptr;
};

// UnreadableObject is an object that cannot be decoded, as the server sent it.
struct UnreadableObject {
  std::string text;
  Error error;
};

// AnyInformer keeps a store equal to a collection of the API server, on a thread of its own, and
// notifies listeners of every change. Informer<T> adds the type; code for many informers (start,
// stop, synced, status) needs no type.
//
// After a list the listeners receive the difference to the previous state: no false deletion after
// a lost watch, no stale object. An object that cannot be decoded is logged with its name and keeps
// its last known state; the other objects are processed. WhenUnreadable registers a callback for
// such objects.
//
// An object of a kind with several versions has the version in which it was read as its api_version,
// although the objects in a page of a list have none. After a change of the version all objects are
// reported as modified.
class AnyInformer : private ObjectSink {
 public:
  ~AnyInformer() override = default;
  AnyInformer(const AnyInformer&) = delete;
  AnyInformer& operator=(const AnyInformer&) = delete;

  // Registers a callback that runs once, after the initial list has been delivered. Requires: not
  // started.
  void WhenSynced(std::function<void()> listener) { synced_.push_back(std::move(listener)); }

  // Registers a callback that runs at the end of each list, including the first. Requires: not
  // started.
  void WhenListed(std::function<void()> listener) { listed_.push_back(std::move(listener)); }
  // Requests a list of all objects, for a caller that begins to need their texts. Listeners receive
  // changed objects only. Any thread.
  void ListAgain() { loop_.ListAgain(); }
  bool HasListedAgain() const { return loop_.HasListedAgain(); }

  // Registers a function that runs before an object with a text of `bytes` is processed, with no
  // lock held. While it blocks, the informer reads nothing. Requires: not started.
  void BeforeObject(std::function<void(size_t bytes)> before) {
    before_object_ = std::move(before);
  }

  // Registers a callback for an object whose newest state cannot be decoded, and for the deletion
  // of such an object. An object that becomes readable again is reported as a change. Requires: not
  // started.
  void WhenUnreadable(std::function<void(const StoreKey& key)> listener) {
    unreadable_listeners_.push_back(std::move(listener));
  }
  // Returns the object if its newest state cannot be decoded. Returns nullopt for other objects,
  // and always without a WhenUnreadable callback. Any thread.
  std::optional<UnreadableObject> Unreadable(const StoreKey& key) const;
  std::vector<UnreadableObject> AllUnreadable() const;

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }  // waits; no listener is called afterwards
  ReflectorStatus status() const { return loop_.status(); }
  bool synced() const { return loop_.status().synced; }

 protected:
  struct AnyChange {
    api::ChangeType type;
    ObjectType::Object before, after;
    std::string lost_uid;
  };

  // Requires: client and clock outlive this, `type` the program.
  AnyInformer(Client& client, ReflectorOptions options, const Clock& clock, const ObjectType& type);

  const AnyStore& objects() const { return store_; }
  void TransformWith(std::function<void(void*)> transform) { transform_ = std::move(transform); }
  void AddTextListener(std::function<void(const void*, const std::string&)> listener) {
    text_listeners_.push_back(std::move(listener));
  }
  void AddListener(std::function<void(const AnyChange&)> listener) {
    listeners_.push_back(std::move(listener));
  }

 private:
  using Object = ObjectType::Object;

  std::string Change(EventType type, const std::string& text) override;
  void ListBegins() override;
  void ListEnds() override;
  void Synced() override;

  Result<Object> Decode(const std::string& text) const;
  void TakeUnreadable(EventType type, const std::string& text, Error error);
  // Reports whether there was an unreadable object of that key.
  bool ForgetUnreadable(const StoreKey& key);
  void ReportUnreadable(const StoreKey& key) const;
  void Keep(StoreKey key, const Object& object);
  void Drop(const StoreKey& key, Object last_state);
  void NotifyDeleted(Object last_state, const Object& kept);
  void Tell(AnyChange change) const;

  bool KeepsAll() const { return type_.extract == nullptr; }
  const std::string& UidOf(const Object& kept) const;
  const std::string& VersionOf(const Object& kept) const;

  const ObjectType& type_;
  AnyStore store_;
  std::set<StoreKey> unseen_;     // during a list: known objects that have not come yet
  std::string_view version_;      // of the last list
  bool has_new_version_ = false;  // the current list is the first one in its version
  std::vector<std::function<void(const AnyChange&)>> listeners_;
  std::vector<std::function<void(const void*, const std::string&)>> text_listeners_;
  std::vector<std::function<void()>> synced_;
  std::vector<std::function<void()>> listed_;
  std::function<void(void*)> transform_;
  std::function<void(size_t)> before_object_;
  std::vector<std::function<void(const StoreKey&)>> unreadable_listeners_;
  mutable std::mutex mutex_;  // guards unreadable_
  std::map<StoreKey, UnreadableObject> unreadable_;
  ReflectorLoop loop_;  // last: its thread uses the rest
};

// Extract is the part of an object that an informer stores. It holds at least the UID and the
// resource version, to detect changes and report deletions.
template <class K, class T>
concept Extract = requires(const K& kept, const std::shared_ptr<const T>& object) {
  { K::Of(object) } -> std::same_as<K>;
  { kept.uid } -> std::convertible_to<const std::string&>;
  { kept.resource_version } -> std::convertible_to<const std::string&>;
};

template <class T, class Kept>
const ObjectType& ObjectTypeOf() {
  static const ObjectType known = [] {
    ObjectType type{.resource = T::kResource,
                    .description = &json::TypeOf<T>,
                    .make = []() -> std::shared_ptr<void> { return std::make_shared<T>(); },
                    .metadata = [](const void* object) -> const api::ObjectMeta& {
                      return static_cast<const T*>(object)->metadata;
                    }};
    if constexpr (!std::same_as<Kept, T>) {
      type.extract = [](const ObjectType::Object& object) -> ObjectType::Object {
        return std::make_shared<const Kept>(Kept::Of(std::static_pointer_cast<const T>(object)));
      };
      type.uid = [](const void* kept) -> const std::string& {
        return static_cast<const Kept*>(kept)->uid;
      };
      type.resource_version = [](const void* kept) -> const std::string& {
        return static_cast<const Kept*>(kept)->resource_version;
      };
    }
    if constexpr (requires { T::kOldVersions; }) {
      type.old_versions = T::kOldVersions;
      type.set_api_version = [](void* object, std::string version) {
        static_cast<T*>(object)->api_version = std::move(version);
      };
    }
    return type;
  }();
  return known;
}

// Informer stores the objects of one kind, or an Extract of each:
//
//   Informer<api::Node> nodes(client, {}, clock);
//   nodes.Listen([&](const api::Change<api::Node>& change) { ... });
//   nodes.Start();
//
// Listeners run on the informer's thread, in the order of registration: they should post the change
// to their own thread and return. With an Extract a change has no previous state, except a deletion
// if the server's event carries it.
template <class T, class Kept = T>
requires(std::same_as<Kept, T> || Extract<Kept, T>) class Informer final : public AnyInformer {
 public:
  using Change = api::Change<T>;
  using Listener = std::function<void(const Change&)>;

  // Requires: client, clock and everything that listeners use outlive this.
  Informer(Client& client, ReflectorOptions options, const Clock& clock)
      : AnyInformer(client, std::move(options), clock, ObjectTypeOf<T, Kept>()) {}
  // Stops before the base class is destroyed: the thread calls virtual functions.
  ~Informer() override { Stop(); }

  // Sets a function that modifies each received object before it is stored or seen by listeners.
  // Requires: not started. Source: client-go tools/cache/shared_informer.go, SetTransform.
  void Transform(std::function<void(T&)> transform) {
    TransformWith(
        [transform = std::move(transform)](void* object) { transform(*static_cast<T*>(object)); });
  }

  // Requires: not started.
  void Listen(Listener listener) {
    AddListener([listener = std::move(listener)](const AnyChange& change) {
      listener({.type = change.type,
                .before = std::static_pointer_cast<const T>(change.before),
                .after = std::static_pointer_cast<const T>(change.after),
                .lost_uid = change.lost_uid});
    });
  }

  // Registers a callback for each existing object with its text as the server sent it. It runs
  // before the listeners, and during a list also for unchanged objects. Requires: not started.
  void ListenToTexts(std::function<void(const T& object, const std::string& text)> listener) {
    AddTextListener([listener = std::move(listener)](const void* object, const std::string& text) {
      listener(*static_cast<const T*>(object), text);
    });
  }

  Store<Kept> store() const { return Store<Kept>(objects()); }
};

}  // namespace berth::client
