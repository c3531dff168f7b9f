// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/client.h"

namespace berth::engine {

// RequestSender is the part of client::Client that writes need; an interface, so tests play the API
// server.
class RequestSender {
 public:
  virtual ~RequestSender() = default;
  // `done` comes once, on any thread, never inside Send.
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

// WriteClass says what goes before what, first to last.
enum class WriteClass : uint8_t { kBinding, kEviction, kStatus, kEvent };
inline constexpr std::array kWriteClasses = {WriteClass::kBinding, WriteClass::kEviction,
                                             WriteClass::kStatus, WriteClass::kEvent};
std::string_view ToString(WriteClass write_class);  // "binding", "eviction", "status", "event"

// ByWriteClass holds a figure for each class.
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
  bool fenced = false;  // leaves only if may_write says so at that moment
};

struct ApiWriterOptions {
  // The fence of leadership: false once it may be another's. Asked on any thread.
  std::function<bool()> may_write = [] { return true; };

  // So many requests may be in flight, those of other classes included, for one of this class to
  // leave. The highest is what the transport sends at once (http::TransportOptions::normal_limit);
  // those of lower classes are lower, so that a server that takes its time over them keeps no
  // binding waiting.
  ByWriteClass<size_t> in_flight = {{16, 14, 12, 8}};
  // So many may wait. Bindings that wait are few while pods are tried (Engine::kMaxBindings), but
  // one event may end the PreBind of many.
  ByWriteClass<size_t> waiting = {{32'768, 8'192, 32'768, 8'192}};
};

struct ApiWriterStatistics {
  ByWriteClass<size_t> waiting;
  ByWriteClass<uint64_t> dropped;  // since it was made
};

// ApiWriter is the one way of the scheduler's writes to the API server. What waits, waits here and
// not in the transport: a binding goes before all evictions that wait, these before all status
// patches, and these before all events; and a request's time counts from when it leaves.
//
// A class that has as many waiting as it may drops what comes on top. That is counted, and said once
// until the class has run dry. The error of what never left is kCanceled.
//
// Thread safe. `done` comes on a thread of the sender, and inside the call that drops it.
class ApiWriter {
 public:
  // Ticket names a write that waits.
  struct Ticket {
    WriteClass write_class;
    uint64_t number;
    auto operator<=>(const Ticket&) const = default;
  };

  // Requires: the sender outlives this.
  ApiWriter(RequestSender& sender, ApiWriterOptions options);
  // What waits or is in flight has no answer any more: no `done` runs afterwards. Not on a thread
  // of the sender.
  ~ApiWriter();
  ApiWriter(const ApiWriter&) = delete;
  ApiWriter& operator=(const ApiWriter&) = delete;

  Ticket Send(ApiWrite write);

  // Replace gives a write that still waits another request; it keeps its place. Withdraw takes it
  // back: its `done` never runs. False: it has left, or was dropped.
  bool Replace(Ticket ticket, client::ApiRequest request);
  bool Withdraw(Ticket ticket);

  // Discard drops what waits of a class; Close does of all classes, and with whatever is sent from
  // then on. What is in flight goes on. For a process that is about to end.
  void Discard(WriteClass write_class);
  void Close();

  ApiWriterStatistics Statistics() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace berth::engine
