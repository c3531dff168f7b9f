// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "client/client.h"

namespace berth::engine {

// RequestSender is the part of client::Client that writes need; an interface, so that tests can
// fake the API server.
class RequestSender {
 public:
  virtual ~RequestSender() = default;
  // Calls `done` once, on any thread, but not inside Send.
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

// WriteClass is the priority of a write, highest first.
enum class WriteClass : uint8_t { kBinding, kEviction, kStatus, kEvent };
inline constexpr std::array kWriteClasses = {WriteClass::kBinding, WriteClass::kEviction,
                                             WriteClass::kStatus, WriteClass::kEvent};
std::string_view ToString(WriteClass write_class);  // "binding", "eviction", "status", "event"

// ByWriteClass holds a value for each class.
template <class T>
struct ByWriteClass {
  std::array<T, kWriteClasses.size()> figures{};
  T& operator[](WriteClass write_class) { return figures[static_cast<size_t>(write_class)]; }
  const T& operator[](WriteClass write_class) const {
    return figures[static_cast<size_t>(write_class)];
  }
};

struct ApiWrite {
  WriteClass write_class;
  client::ApiRequest request;
  client::Callback<std::string> done;
  bool fenced = false;  // sent only if may_write() is true at that moment
};

struct ApiWriterOptions {
  // The fence of leadership: false once this process may have lost it. Called on any thread.
  std::function<bool()> may_write = [] { return true; };

  // A request of a class is sent while fewer requests than this are in flight, over all classes.
  // The highest limit is that of the transport (http::TransportOptions::normal_limit). Lower
  // classes have lower limits, so that slow requests of a lower class do not delay bindings.
  ByWriteClass<size_t> in_flight = {{16, 14, 12, 8}};
  // The limit of queued requests of a class. Few bindings are queued while pods are tried
  // (Engine::kMaxBindings), but one event may end the PreBind of many. Evictions have no limit: a
  // dropped one would leave a preemption half done, and the port sends one at a time for each pod,
  // so there are at most as many as pods.
  ByWriteClass<size_t> waiting = {{32'768, std::numeric_limits<size_t>::max(), 32'768, 8'192}};
};

struct ApiWriterStatistics {
  ByWriteClass<size_t> waiting;
  ByWriteClass<uint64_t> dropped;  // since the writer was created
};

// ApiWriter sends all writes of the scheduler to the API server. Requests are queued here, not in
// the transport. So bindings are sent before queued evictions, evictions before status patches, and
// these before events, and the timeout of a request starts when it is sent.
//
// A class with a full queue drops new requests. Drops are counted, and logged once until the queue
// is empty again. The error of a dropped request is kCanceled.
//
// Thread safe. `done` is called on a thread of the sender, or inside the call that drops the
// request.
class ApiWriter {
 public:
  // Ticket identifies a queued write.
  struct Ticket {
    WriteClass write_class;
    uint64_t number;
    auto operator<=>(const Ticket&) const = default;
  };

  // Requires: the sender outlives this.
  ApiWriter(RequestSender& sender, ApiWriterOptions options);
  // Drops all queued and running requests without calling their `done`. Must not run on a thread of
  // the sender.
  ~ApiWriter();
  ApiWriter(const ApiWriter&) = delete;
  ApiWriter& operator=(const ApiWriter&) = delete;

  Ticket Send(ApiWrite write);

  // Replace changes the request of a queued write, which keeps its place. Withdraw removes a queued
  // write without calling its `done`. Both return false if it was sent or dropped already.
  bool Replace(Ticket ticket, client::ApiRequest request);
  bool Withdraw(Ticket ticket);

  // Discard drops the queued writes of a class. Close drops those of all classes, and every later
  // write. Running requests continue. For a process that is about to end.
  void Discard(WriteClass write_class);
  void Close();

  ApiWriterStatistics Statistics() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace berth::engine
