// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/json/json.h"
#include "client/reflector.h"
#include "controllers/observed.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {

// KindWatch keeps the objects of one rendered kind that bear our label, and tells which profile is
// concerned when one of them changes.
template <class T>
class KindWatch final : private client::ReflectorHandler<T> {
 public:
  using Listener = std::function<void(const ObjectKey& key, const std::string& profile)>;

  KindWatch(client::Client& client, const std::string& ns, const Clock& clock, Listener listener)
      : listener_(std::move(listener)), reflector_(client, OptionsFor(ns), clock, this) {}

  void Start() { reflector_.Start(); }
  void Stop() { reflector_.Stop(); }
  client::ReflectorStatus status() const { return reflector_.status(); }
  const client::Store<T>& store() const { return reflector_.store(); }

  // IsKnown says that the first list came, or that it never will because it is forbidden: then
  // there is nothing to know, and writing will show what is the matter.
  bool IsKnown() const {
    const client::ReflectorStatus status = reflector_.status();
    return status.synced ||
           (status.failing && status.last_error && status.last_error->Is(Reason::kForbidden));
  }

  std::shared_ptr<const T> Get(const std::string& ns, const std::string& name) const {
    return reflector_.store().Get(ns, name);
  }

  void AddTo(std::map<ObjectKey, LiveObject>& objects, const std::string& ns,
             const std::string& name) const {
    if (const auto object = Get(ns, name)) Add(objects, *object);
  }

  static void Add(std::map<ObjectKey, LiveObject>& objects, const T& object) {
    objects[KeyOf(object)] = {.metadata = object.metadata, .json = json::Encode(object)};
  }

 private:
  static client::ReflectorOptions OptionsFor(const std::string& ns) {
    client::ReflectorOptions options;
    options.ns = ns;
    options.label_selector = std::string(kManagedByLabel) + "=" + std::string(kFieldManager);
    return options;
  }

  static ObjectKey KeyOf(const T& object) {
    return {&T::kResource, object.metadata.namespace_, object.metadata.name};
  }

  void OnEvent(client::EventType, std::shared_ptr<const T> object,
               std::shared_ptr<const T> old) override {
    Tell(*object);
    if (old && ProfileOf(*old) != ProfileOf(*object)) Tell(*old);
  }

  static std::string ProfileOf(const T& object) {
    const auto label = object.metadata.labels.find(std::string(crds::kProfileLabel));
    return label == object.metadata.labels.end() ? "" : label->second;
  }

  void Tell(const T& object) {
    const std::string profile = ProfileOf(object);
    if (!profile.empty()) listener_(KeyOf(object), profile);
  }

  const Listener listener_;
  client::Reflector<T> reflector_;  // last: its thread uses the rest
};

}  // namespace berth::controllers
