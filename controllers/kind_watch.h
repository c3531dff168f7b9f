// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/informer.h"
#include "controllers/any_object.h"

namespace berth::controllers {

// KindWatch keeps the objects of one rendered kind that bear the operator's label, and tells which
// profile is concerned when one of them changes. KindWatchOf<T> says the kind. Thread safe.
class KindWatch {
 public:
  // Listener hears which object changed, the version it has now, "" when it is gone, and which
  // profile it was rendered for, before or after; on the informer's thread.
  using Listener = std::function<void(const ObjectKey& key, const std::string& version,
                                      const std::string& profile)>;

  virtual ~KindWatch() = default;

  // The informer is to be started, stopped and asked how it does.
  virtual client::AnyInformer& informer() = 0;

  // ObjectsOf gives those that bear the label of the profile, or the name of its objects: a label
  // is soon taken away.
  virtual std::vector<AnyObject> ObjectsOf(const std::string& profile) const = 0;

  // UnchangedFor gives how long the object has been seen unchanged; nullopt when there is none, and
  // of kinds of which nobody asks it.
  virtual std::optional<std::chrono::nanoseconds> UnchangedFor(const std::string&) const {
    return std::nullopt;
  }
};

// OursIn selects the objects of a namespace ("": all, or a cluster-scoped kind) that we made.
client::ReflectorOptions OursIn(const std::string& ns);

// ProfileOf is the profile an object was rendered for; "" when it does not say.
std::string ProfileOf(const api::ObjectMeta& metadata);

// IsOf says that an object is to be looked at for the profile, see KindWatch::ObjectsOf.
bool IsOf(const api::ObjectMeta& metadata, const std::string& profile);

// IsKnown says that the first list came, or that it never will because it is forbidden: then there
// is nothing to know, and writing will show what is the matter.
bool IsKnown(const client::AnyInformer& informer);

// NotifyProfiles tells the listener of a change; one of `before` and `after` may be none.
void NotifyProfiles(const KindWatch::Listener& listener, const std::optional<AnyObject>& before,
                    const std::optional<AnyObject>& after);

template <class T>
class KindWatchOf final : public KindWatch {
 public:
  static std::unique_ptr<KindWatch> Make(client::Client& client, const std::string& ns,
                                         const Clock& clock, Listener listener) {
    return std::make_unique<KindWatchOf>(client, ns, clock, std::move(listener));
  }

  KindWatchOf(client::Client& client, const std::string& ns, const Clock& clock, Listener listener)
      : informer_(client, OursIn(ns), clock) {
    informer_.Listen([listener = std::move(listener)](const api::Change<T>& change) {
      std::optional<AnyObject> before;
      std::optional<AnyObject> after;
      if (change.before) before.emplace(change.before);
      if (change.after) after.emplace(change.after);
      NotifyProfiles(listener, before, after);
    });
  }

  client::AnyInformer& informer() override { return informer_; }

  std::vector<AnyObject> ObjectsOf(const std::string& profile) const override {
    std::vector<AnyObject> objects;
    for (auto& object : informer_.store().List()) {
      if (IsOf(object->metadata, profile)) objects.emplace_back(std::move(object));
    }
    return objects;
  }

 private:
  client::Informer<T> informer_;
};

}  // namespace berth::controllers
