// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/informer.h"
#include "controllers/any_object.h"

namespace berth::controllers {

// KindWatch watches the objects of one rendered kind that have the operator's label, and notifies
// the listener of the profiles they belong to. KindWatchOf<T> implements it for a kind. Thread
// safe.
class KindWatch {
 public:
  // Receives the changed object, its version ("" if deleted) and a profile that its name or label
  // has or had. Called on the informer's thread.
  using Listener = std::function<void(const ObjectKey& key, const std::string& version,
                                      const std::string& profile)>;

  virtual ~KindWatch() = default;

  // The informer, to start, stop and read its status.
  virtual client::AnyInformer& informer() = 0;

  // Returns the objects that have the profile's label or the name of its objects. The name counts
  // too, because another client may remove the label.
  virtual std::vector<AnyObject> ObjectsOf(const std::string& profile) const = 0;

  virtual const api::ResourceInfo& resource() const = 0;

  // Returns all watched objects.
  virtual std::vector<AnyObject> Objects() const = 0;

  // Returns for how long the object has not changed; nullopt if it does not exist, or for kinds
  // that do not track it.
  virtual std::optional<std::chrono::nanoseconds> UnchangedFor(const std::string&) const {
    return std::nullopt;
  }
};

// Selects the objects of a namespace ("": all, or a cluster-scoped kind) that the operator created.
client::ReflectorOptions OursIn(const std::string& ns);

// Returns the profile an object was rendered for; "" if it has no label.
std::string ProfileOf(const api::ObjectMeta& metadata);

// Returns the profile that the name of a rendered object has: "a" of "berth-a" and of the binding
// "berth:a:base"; "" for another name. Unlike a label, a name cannot be changed.
std::string ProfileInName(std::string_view name);

// Reports whether an object has the label and the hash of the profile's rendered objects. Other
// clients can copy both, so it does not follow that the object is the profile's.
bool LooksRendered(const api::ObjectMeta& metadata, const std::string& profile);

// Reports whether an object counts for the profile, see KindWatch::ObjectsOf.
bool IsOf(const api::ObjectMeta& metadata, const std::string& profile);

// Reports whether the first list was delivered or is forbidden. If it is forbidden, the next write
// reports the missing permission.
bool IsKnown(const client::AnyInformer& informer);

template <class T>
std::vector<AnyObject> ObjectsIn(const client::Informer<T>& informer) {
  std::vector<AnyObject> objects;
  for (auto& object : informer.store().List()) objects.emplace_back(std::move(object));
  return objects;
}

// Notifies the listener of a change, once for each profile that the object may belong to; one of
// `before` and `after` may be nullopt.
void NotifyProfiles(const KindWatch::Listener& listener, const std::optional<AnyObject>& before,
                    const std::optional<AnyObject>& after);

// LiveTexts holds the texts of watched objects without metadata and status, because the structs do
// not know every field. Thread safe.
class LiveTexts {
 public:
  void Put(const api::ObjectMeta& metadata, const std::string& text);
  void Remove(const api::ObjectMeta& metadata);
  // Returns the text of this version of the object; nullptr if it is not the newest.
  std::shared_ptr<const std::string> Of(const api::ObjectMeta& metadata) const;

 private:
  struct Text {
    std::string version;
    std::shared_ptr<const std::string> text;
  };
  mutable std::mutex mutex_;
  std::map<client::StoreKey, Text> texts_;
};

template <class T>
class KindWatchOf final : public KindWatch {
 public:
  static std::unique_ptr<KindWatch> Make(client::Client& client, const std::string& ns,
                                         const Clock& clock, Listener listener) {
    return std::make_unique<KindWatchOf>(client, ns, clock, std::move(listener));
  }

  KindWatchOf(client::Client& client, const std::string& ns, const Clock& clock, Listener listener)
      : informer_(client, OursIn(ns), clock) {
    informer_.ListenToTexts(
        [this](const T& object, const std::string& text) { texts_.Put(object.metadata, text); });
    informer_.Listen([this, listener = std::move(listener)](const api::Change<T>& change) {
      if (!change.after && change.before) texts_.Remove(change.before->metadata);
      std::optional<AnyObject> before;
      std::optional<AnyObject> after;
      if (change.before) before.emplace(change.before);
      if (change.after) after.emplace(change.after);
      NotifyProfiles(listener, before, after);
    });
  }

  client::AnyInformer& informer() override { return informer_; }

  const api::ResourceInfo& resource() const override { return T::kResource; }

  std::vector<AnyObject> ObjectsOf(const std::string& profile) const override {
    std::vector<AnyObject> objects;
    for (auto& object : informer_.store().List()) {
      if (!IsOf(object->metadata, profile)) continue;
      auto text = texts_.Of(object->metadata);
      objects.push_back(AnyObject(std::move(object)).WithText(std::move(text)));
    }
    return objects;
  }

  std::vector<AnyObject> Objects() const override { return ObjectsIn(informer_); }

 private:
  LiveTexts texts_;
  client::Informer<T> informer_;  // last: its thread uses the texts
};

}  // namespace berth::controllers
