// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "http/client/carrier.h"
#include "http/client/give_up.h"
#include "http/client/transport.h"
#include "http/timer.h"

namespace berth::http {

// Core holds the state shared by all exchanges, independent of the HTTP library: lanes, deadlines,
// cancellation. It lives until the last exchange has ended.
class Core : public std::enable_shared_from_this<Core> {
 public:
  // Requires: the timer outlives every exchange.
  Core(TransportOptions options, std::shared_ptr<Carrier> carrier, Timer& timer)
      : options_(std::move(options)), carrier_(std::move(carrier)), timer_(timer) {}

  void Send(Request request, Transport::Done done, std::stop_token stop);

  // Cancels all exchanges and waits until they have ended.
  void Shutdown();

  // Returns the reason why we cancelled the exchange; nullopt if we did not.
  std::optional<Error> WhyGivenUp(const GiveUp& give_up, const Request& request,
                                  std::chrono::milliseconds silence) const;

  Timer& timer() { return timer_; }
  std::stop_token closing() const { return closing_.get_token(); }
  const TransportOptions& options() const { return options_; }
  Carrier& carrier() { return *carrier_; }

  // Enter and Leave bracket all work that Shutdown waits for.
  void Enter();
  void Leave();

 private:
  struct SentRequest;
  class Answer;
  struct Waiting {
    using Queue =
        std::list<std::shared_ptr<SentRequest>>;  // a list: cancelled requests are removed at once

    size_t limit;
    size_t in_flight = 0;
    Queue queue;
  };

  Waiting& WaitingIn(Lane lane);
  void SetDeadline(const std::shared_ptr<SentRequest>& exchange);
  void Enqueue(const std::shared_ptr<SentRequest>& exchange);
  void Abandon(const std::shared_ptr<SentRequest>& exchange, Cause cause);
  std::function<void()> AbandonLater(const std::shared_ptr<SentRequest>& exchange, Cause cause);
  void StartNext(Lane lane);
  void Start(const std::shared_ptr<SentRequest>& exchange);
  void TakeBody(const std::shared_ptr<SentRequest>& exchange, std::string_view bytes,
                std::string& body);
  std::optional<Error> WhyGivenUp(const SentRequest& exchange) const;
  void FinishGivenUp(const std::shared_ptr<SentRequest>& exchange);
  void Finish(const std::shared_ptr<SentRequest>& exchange, Result<Response> result);

  const TransportOptions options_;
  const std::shared_ptr<Carrier> carrier_;
  Timer& timer_;
  std::stop_source closing_;

  std::mutex mutex_;  // guards all below
  std::condition_variable idle_;
  size_t active_ = 0;  // exchanges and streams in flight
  Waiting normal_{.limit = options_.normal_limit};
  Waiting urgent_{.limit = options_.urgent_limit};
};

}  // namespace berth::http
