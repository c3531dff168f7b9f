// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#define _TURN_OFF_PLATFORM_STRING
#include <cpprest/http_client.h>

#include "base/error.h"
#include "http/client/cpprest_transport.h"
#include "http/client/give_up.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"
#include "http/timer.h"

namespace berth::http {

// Core is what exchanges share; it lives until the last of them has ended.
class Core : public std::enable_shared_from_this<Core> {
 public:
  // Requires: the timer outlives every exchange.
  Core(TransportOptions options, std::shared_ptr<TlsContext> tls, Timer& timer)
      : options_(std::move(options)),
        tls_(std::move(tls)),
        timer_(timer),
        requests_(options_.url, Config(std::chrono::hours(1))),
        streams_(options_.url, Config(options_.silence_limit)) {}

  void Send(Request request, Transport::Done done, std::stop_token stop);

  // Shutdown gives up everything and waits until all of it has ended.
  void Shutdown();

  // ToError: why the exchange of a request ended.
  Error ToError(const GiveUp& give_up, std::exception_ptr failure, const Request& request) const;

  Timer& timer() { return timer_; }
  std::stop_token closing() const { return closing_.get_token(); }
  const TransportOptions& options() const { return options_; }
  web::http::client::http_client& streams() { return streams_; }

  // Enter and Leave bracket everything that Shutdown waits for.
  void Enter();
  void Leave();

 private:
  struct SentRequest;
  struct Waiting {
    using Queue = std::list<std::shared_ptr<SentRequest>>;  // whoever gives up leaves at once

    size_t limit;
    size_t in_flight = 0;
    Queue queue;
  };

  web::http::client::http_client_config Config(std::chrono::milliseconds timeout) const;
  Waiting& LaneOf(const SentRequest& exchange);
  void SetDeadline(const std::shared_ptr<SentRequest>& exchange);
  void Enqueue(const std::shared_ptr<SentRequest>& exchange);
  void Abandon(const std::shared_ptr<SentRequest>& exchange, Cause cause);
  std::function<void()> AbandonLater(const std::shared_ptr<SentRequest>& exchange, Cause cause);
  void StartNext(Lane lane);
  void Start(const std::shared_ptr<SentRequest>& exchange);
  void TakeBody(const std::shared_ptr<SentRequest>& exchange, std::string_view bytes,
                std::string& body);
  void FinishSoon(const std::shared_ptr<SentRequest>& exchange, Error error);
  void Finish(const std::shared_ptr<SentRequest>& exchange, Result<Response> result);

  const TransportOptions options_;
  const std::shared_ptr<TlsContext> tls_;
  Timer& timer_;
  web::http::client::http_client requests_;
  web::http::client::http_client streams_;
  std::stop_source closing_;

  std::mutex mutex_;  // guards all below
  std::condition_variable idle_;
  size_t active_ = 0;  // exchanges and streams that have not ended
  Waiting normal_{.limit = options_.normal_limit};
  Waiting urgent_{.limit = options_.urgent_limit};
};

}  // namespace berth::http
