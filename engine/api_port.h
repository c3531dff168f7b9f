// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "client/client.h"
#include "client/event_recorder.h"
#include "http/timer.h"
#include "scheduler/framework/ports.h"

namespace berth::engine {

// RequestSender is the part of client::Client that writes of the core need; an interface, so tests
// play the API server.
class RequestSender {
 public:
  virtual ~RequestSender() = default;
  // `done` comes once, on any thread.
  virtual void Send(client::ApiRequest request, client::Callback<std::string> done) = 0;
};

class ClientSender final : public RequestSender {
 public:
  explicit ClientSender(client::Client& client) : client_(client) {}
  void Send(client::ApiRequest request, client::Callback<std::string> done) override {
    client_.Send(std::move(request), std::move(done));
  }

 private:
  client::Client& client_;
};

struct ApiPortOptions {
  // Post hands a function to the scheduling thread.
  std::function<void(std::function<void()>)> post;
  // MayWrite is the fence before each binding: false once leadership may be another's.
  std::function<bool()> may_write = [] { return true; };
  // Record takes events; it must not block.
  std::function<void(const scheduler::PodRef&, scheduler::PodEvent)> record;
  std::function<double()> random;  // in [0, 1)

  std::chrono::milliseconds first_lookup_delay{
      100};  // between look-ups of an unknown outcome; doubled
  std::chrono::milliseconds max_lookup_delay{5'000};
};

// ApiServerPort carries what the core writes to the API server. As many requests are in flight as
// the transport's lane allows; those about one pod go one after another, in the order they were
// asked for.
//
// Bind: the answer may be lost although the binding was made. The pod is then looked up, as often
// as it takes, before the core hears anything: bound to our node, by this call or another, is
// success; not bound is tried once more; bound elsewhere, gone or replaced is an error. So an
// assumed pod is neither leaked nor bound twice.
//
// Owned by the scheduling thread, like the core: all calls come from it, and `post` brings all
// answers back to it.
class ApiServerPort final : public scheduler::ApiPort {
 public:
  // Requires: sender and timer outlive this; after destruction answers that still come are dropped.
  ApiServerPort(RequestSender& sender, http::Timer& timer, ApiPortOptions options);
  ~ApiServerPort() override;

  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override;
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override;
  void RecordEvent(const scheduler::PodRef& pod, scheduler::PodEvent event) override;

  // InFlight counts calls whose `done` has not run; for a graceful stop.
  size_t InFlight() const;

 private:
  class State;
  class BindCall;
  class PatchCall;

  std::shared_ptr<State> state_;
};

// BindingBody and StatusPatchBody are the JSON texts that are sent. The patch names the pod's uid,
// so that it cannot hit another pod of that name.
std::string BindingBody(const scheduler::PodRef& pod, const std::string& node);
std::string StatusPatchBody(const scheduler::PodRef& pod, const scheduler::PodStatusPatch& patch);

}  // namespace berth::engine
