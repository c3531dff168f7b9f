// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/reflector.h"
#include "controllers/any_object.h"

namespace berth::controllers {

// KindWatch keeps the objects of one rendered kind that bear the operator's label, and tells which
// profile is concerned when one of them changes. Thread safe.
class KindWatch {
 public:
  // Called on the watch's thread.
  using Listener = std::function<void(const ObjectKey& key, const std::string& profile)>;

  virtual ~KindWatch() = default;

  virtual void Start() = 0;
  virtual void Stop() = 0;
  virtual client::ReflectorStatus status() const = 0;
  virtual std::optional<AnyObject> Get(const std::string& ns, const std::string& name) const = 0;
  virtual std::vector<AnyObject> List() const = 0;

  // IsKnown says that the first list came, or that it never will because it is forbidden: then
  // there is nothing to know, and writing will show what is the matter.
  bool IsKnown() const;

  // ProfileOf gives the profile that an object's label names, or "".
  static std::string ProfileOf(const api::ObjectMeta& metadata);

 protected:
  explicit KindWatch(Listener listener) : listener_(std::move(listener)) {}

  static client::ReflectorOptions OptionsFor(const std::string& ns);
  void Tell(const AnyObject& object) const;

 private:
  const Listener listener_;
};

// KindWatchOf is the KindWatch of objects that are T.
template <class T>
class KindWatchOf final : public KindWatch, private client::ReflectorHandler<T> {
 public:
  static std::unique_ptr<KindWatch> Make(client::Client& client, const std::string& ns,
                                         const Clock& clock, Listener listener) {
    return std::make_unique<KindWatchOf>(client, ns, clock, std::move(listener));
  }

  KindWatchOf(client::Client& client, const std::string& ns, const Clock& clock, Listener listener)
      : KindWatch(std::move(listener)), reflector_(client, OptionsFor(ns), clock, this) {}

  void Start() override { reflector_.Start(); }
  void Stop() override { reflector_.Stop(); }
  client::ReflectorStatus status() const override { return reflector_.status(); }

  std::optional<AnyObject> Get(const std::string& ns, const std::string& name) const override {
    auto object = reflector_.store().Get(ns, name);
    if (!object) return std::nullopt;
    return AnyObject(std::move(object));
  }

  std::vector<AnyObject> List() const override {
    std::vector<AnyObject> objects;
    for (auto& object : reflector_.store().List()) objects.emplace_back(std::move(object));
    return objects;
  }

 private:
  void OnEvent(client::EventType, std::shared_ptr<const T> object,
               std::shared_ptr<const T> old) override {
    Tell(AnyObject(object));
    if (old && ProfileOf(old->metadata) != ProfileOf(object->metadata)) Tell(AnyObject(old));
  }

  client::Reflector<T> reflector_;  // last: its thread uses the rest
};

}  // namespace berth::controllers
