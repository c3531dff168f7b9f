// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "api/extender.h"
#include "api/scheduler_config.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json/go_text.h"
#include "engine/extender/circuit_breaker.h"
#include "engine/extender/extender_address.h"
#include "engine/extender/extender_metrics.h"
#include "http/client/transport.h"

namespace berth::engine {

// ExtenderClient sends requests to one extender: one POST for each call, limited to the extender's
// httpTimeout, without compression, redirects or retries. If the extender is just closing the
// connection, the library may send a request again on another one. A bind request is never sent
// again, since it has its own connection.
//
// The circuit breaker counts as failures: no response, another code than 200, a response that
// cannot be decoded. A response that reports an error is not a failure.
//
// Errors are one line, whatever the extender sent. Thread safe. Source: kube-scheduler
// pkg/scheduler/extender.go, send.
class ExtenderClient {
 public:
  static constexpr size_t kMaxAnswer = 10 << 20;
  static constexpr size_t kMaxBindAnswer = 1 << 20;

  // Logs a warning if the extender's certificate is not verified. Errors (kConfig): see
  // MakeExtenderTransport. Requires: clock and registry outlive this.
  static Result<std::unique_ptr<ExtenderClient>> Create(const api::Extender& extender,
                                                        const ExtenderReach& reach,
                                                        const Clock& clock,
                                                        MetricsRegistry& registry);
  // Cancels running calls, and waits for their end.
  ~ExtenderClient();

  // Sends a request. `done` is called once: on a thread of the transport, where it must not block,
  // or before Send returns, if the circuit breaker is open.
  template <class Answer>
  using Done = std::function<void(Result<Answer>)>;
  template <class Answer>
  void Send(ExtenderVerb verb, std::string question, Done<Answer> done, std::stop_token stop = {}) {
    auto answer = std::make_shared<Answer>();
    Exchange(verb, std::move(question),
             {.read = [answer](const std::string& body) -> Result<std::string> {
                BERTH_TRY_VOID(json::DecodeGoInto(body, json::TypeOf<Answer>(), answer.get()));
                return ErrorIn(*answer);
              },
              .done =
                  [answer, done = std::move(done)](Result<void> how) {
                    if (!how) return done(Fail(std::move(how).error()));
                    done(std::move(*answer));
                  }},
             std::move(stop));
  }

  // The extender's configured address.
  const std::string& url() const { return extender_.url_prefix; }
  std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  struct Receiver {
    // Decodes the body and returns the error that the extender reports, or "". An error: the body
    // cannot be decoded.
    std::function<Result<std::string>(const std::string& body)> read;
    std::function<void(Result<void>)> done;
  };
  struct Sent;

  ExtenderClient(api::Extender extender, const Clock& clock, MetricsRegistry& registry);

  static std::string ErrorIn(const api::ExtenderFilterResult& answer) { return answer.error; }
  static std::string ErrorIn(const api::ExtenderBindingResult& answer) { return answer.error; }
  static std::string ErrorIn(const api::HostPriorityList&) { return ""; }
  static std::string ErrorIn(const api::ExtenderPreemptionResult&) { return ""; }

  void Exchange(ExtenderVerb verb, std::string question, Receiver receiver, std::stop_token stop);
  void Finish(const Sent& sent, Result<http::Response> response);
  // Returns the error that the response reports, or fails if the response is invalid. Updates
  // neither metrics nor the breaker.
  Result<std::string> Judge(const Sent& sent, Result<http::Response> response) const;
  const std::string& PathOf(ExtenderVerb verb) const { return extender_.*RowOf(verb).path; }

  const api::Extender extender_;
  const std::chrono::milliseconds timeout_;
  const Clock& clock_;
  ExtenderMetrics metrics_;
  CircuitBreaker breaker_;
  // Last, since their callbacks use the other members.
  std::unique_ptr<http::Transport> asking_;
  std::unique_ptr<http::Transport> binding_;  // null: the extender does not bind
};

}  // namespace berth::engine
