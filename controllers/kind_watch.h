// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/json/json.h"
#include "client/informer.h"
#include "controllers/observed.h"
#include "controllers/render.h"

namespace berth::controllers {

// What it takes to watch a rendered kind: an informer of the objects that bear our label.

// KindListener hears which object changed and which profile it was rendered for, before or after.
using KindListener = std::function<void(const ObjectKey& key, const std::string& profile)>;

// OursIn selects the objects of a namespace ("": all, or a cluster-scoped kind) that we made.
client::ReflectorOptions OursIn(const std::string& ns);

// ProfileOf is the profile an object was rendered for; "" when it does not say.
std::string ProfileOf(const api::ObjectMeta& metadata);

// IsKnown says that the first list came, or that it never will because it is forbidden: then there
// is nothing to know, and writing will show what is the matter.
bool IsKnown(const client::AnyInformer& informer);

template <class T>
std::unique_ptr<client::Informer<T>> WatchKind(client::Client& client, const std::string& ns,
                                               const Clock& clock, const KindListener& listener) {
  auto informer = std::make_unique<client::Informer<T>>(client, OursIn(ns), clock);
  informer->Listen([listener](const api::Change<T>& change) {
    const auto tell = [&listener](const api::ObjectMeta& object) {
      const std::string profile = ProfileOf(object);
      if (!profile.empty()) listener({&T::kResource, object.namespace_, object.name}, profile);
    };
    const api::ObjectMeta& now = change.newest().metadata;
    tell(now);
    if (change.before && ProfileOf(change.before->metadata) != ProfileOf(now)) {
      tell(change.before->metadata);
    }
  });
  return informer;
}

template <class T>
void AddLive(std::map<ObjectKey, LiveObject>& objects, const T& object) {
  const ObjectKey key{&T::kResource, object.metadata.namespace_, object.metadata.name};
  objects[key] = {.metadata = object.metadata, .json = json::Encode(object)};
}

}  // namespace berth::controllers
