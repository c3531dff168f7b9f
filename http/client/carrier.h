// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace berth::http {

// Carrier carries exchanges with one server over one HTTP library. Which request goes when, its
// deadline, and why we end it ourselves are Core's. Thread safe. It lives as long as any receiver.
class Carrier {
 public:
  // Receiver hears of one exchange: the head once, the body as it comes, and the end, last and
  // once. On threads of the carrier, one call after the other, never inside Carry.
  class Receiver {
   public:
    virtual ~Receiver() = default;

    virtual void OnHead(int code, Headers headers) = 0;

    // OnBody takes all bytes. False: no more are to come before `resume`, which is called once, from
    // any thread.
    virtual bool OnBody(std::string_view bytes, std::function<void()> resume) = 0;

    // Errors: kUnavailable (refused, reset, name, TLS), kTimeout, kBadRequest (the target is not
    // encoded), kConfig (a certificate or key); any after `give_up`.
    virtual void OnEnd(Result<void> how) = 0;
  };

  virtual ~Carrier() = default;

  // Carry sends a request now and keeps the receiver until its end. `give_up` brings that about
  // soon. Of the request, timeout, limits and lane mean nothing here.
  virtual void Carry(const Request& request, std::shared_ptr<Receiver> receiver,
                     std::stop_token give_up) = 0;

  // Post runs a function soon, on a thread of the carrier.
  virtual void Post(std::function<void()> function) = 0;

  // Stop ends threads of its own, when nothing is under way; what is posted later is dropped. Not
  // for threads of the carrier.
  virtual void Stop() {}
};

}  // namespace berth::http
