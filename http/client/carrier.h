// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace berth::http {

// Carrier sends requests to one server over one HTTP library. Core decides the order of requests,
// their deadlines and cancellation. Thread safe. It outlives every receiver.
class Carrier {
 public:
  // Receiver receives one response: the head once, the body in pieces, and the end, last and once.
  // Calls come from threads of the carrier, one after the other, never inside Carry.
  class Receiver {
   public:
    virtual ~Receiver() = default;

    virtual void OnHead(int code, Headers headers) = 0;

    // Consumes all bytes. Returns false to pause the body until `resume` is called, once, from any
    // thread.
    virtual bool OnBody(std::string_view bytes, std::function<void()> resume) = 0;

    // Errors: kUnavailable (not connected, reset, name, TLS), kTimeout, kBadRequest (the target is
    // not encoded), kConfig (a certificate or key); any error after `give_up`.
    virtual void OnEnd(Result<void> how) = 0;
  };

  virtual ~Carrier() = default;

  // Sends a request now and keeps the receiver until its OnEnd. `give_up` causes OnEnd soon.
  // Timeout, limits and lane of the request are ignored here.
  virtual void Carry(const Request& request, std::shared_ptr<Receiver> receiver,
                     std::stop_token give_up) = 0;

  // Runs a function soon, on a thread of the carrier.
  virtual void Post(std::function<void()> function) = 0;

  // Joins the carrier's own threads. Functions posted later are dropped. Requires: no exchange is
  // in flight; not called on a thread of the carrier.
  virtual void Stop() {}
};

}  // namespace berth::http
