// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "client/reflector.h"

namespace berth::engine {

// Message is work for the scheduling thread.
using Message = std::function<void()>;
using Post = std::function<void(Message)>;

// Informer brings each change of a kind to the scheduling thread: a reflector decodes it on its own
// thread and posts it here. `changed` and `synced` run on the scheduling thread, `synced` once,
// after the changes of the first list. The store holds whole objects, or an Extract of each
// (client/reflector.h).
template <class T, class Kept = T>
class Informer final : private client::ReflectorHandler<T, Kept> {
 public:
  using Object = std::shared_ptr<const T>;
  using Old = std::shared_ptr<const Kept>;
  // For a deletion `object` is the last state, if it is known; for an addition `old` is null.
  using Changed = std::function<void(client::EventType, const Object& object, const Old& old)>;

  // Requires: client and clock outlive this; what `changed` and `synced` use outlives the last
  // message.
  Informer(client::Client& client, client::ReflectorOptions options, const Clock& clock, Post post,
           Changed changed, std::function<void()> synced)
      : post_(std::move(post)),
        changed_(std::move(changed)),
        synced_(std::move(synced)),
        reflector_(client, std::move(options), clock, this) {}

  void Start() { reflector_.Start(); }
  void Stop() { reflector_.Stop(); }
  client::ReflectorStatus status() const { return reflector_.status(); }
  const client::Store<Kept>& store() const { return reflector_.store(); }

 private:
  void OnEvent(client::EventType type, Object object, Old old) override {
    post_([this, type, object = std::move(object), old = std::move(old)] {
      changed_(type, object, old);
    });
  }
  void OnSynced() override {
    post_([this] { synced_(); });
  }

  const Post post_;
  const Changed changed_;
  const std::function<void()> synced_;
  client::Reflector<T, Kept> reflector_;  // last: its thread uses the rest
};

}  // namespace berth::engine
