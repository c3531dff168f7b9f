// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "client/reflector.h"

namespace berth::simulation {

// Watch keeps the objects of one kind for several controllers. Listeners are called on the watch's
// thread and must return at once; add them before Start.
template <class T>
class Watch final : private client::ReflectorHandler<T> {
 public:
  using Object = std::shared_ptr<const T>;
  // `old` is nullptr for a new object; for kDeleted `object` is the last state.
  using Listener = std::function<void(client::EventType type, const T& object, const T* old)>;

  // Requires: client and clock outlive this.
  Watch(client::Client& client, const Clock& clock, client::ReflectorOptions options = {})
      : reflector_(client, std::move(options), clock, this) {}

  void Listen(Listener listener) { listeners_.push_back(std::move(listener)); }
  void Start() { reflector_.Start(); }
  void Stop() { reflector_.Stop(); }
  bool synced() const { return reflector_.status().synced; }
  const client::Store<T>& store() const { return reflector_.store(); }

 private:
  void OnEvent(client::EventType type, Object object, Object old) override {
    for (const Listener& listener : listeners_) listener(type, *object, old.get());
  }

  std::vector<Listener> listeners_;
  client::Reflector<T> reflector_;  // last: its thread uses the rest
};

}  // namespace berth::simulation
