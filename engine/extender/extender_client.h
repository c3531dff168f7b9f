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

// ExtenderClient carries questions to one extender, and its answers back: one POST a call, within
// the extender's httpTimeout in all, without compression, redirects or a second try. A question that
// meets a connection which the extender is just closing may be sent again over another, by the
// library; one to bind never, since it goes over a connection of its own.
//
// The breaker counts as failures: no answer, another code than 200, an answer that cannot be read.
// One that says that something is an error is an answer.
//
// Errors are in one line, whatever the extender wrote. Thread safe. Source: kube-scheduler
// pkg/scheduler/extender.go, send.
class ExtenderClient {
 public:
  static constexpr size_t kMaxAnswer = 10 << 20;
  static constexpr size_t kMaxBindAnswer = 1 << 20;

  // Create says in the log if the extender's certificate is not verified. Errors (kConfig) as from
  // MakeExtenderTransport. Requires: clock and registry outlive this.
  static Result<std::unique_ptr<ExtenderClient>> Create(const api::Extender& extender,
                                                        const ExtenderReach& reach,
                                                        const Clock& clock,
                                                        MetricsRegistry& registry);
  // Gives up what is under way, and waits for its end.
  ~ExtenderClient();

  // Send asks. `done` comes once, with the answer: on a thread of the transport, where it must not
  // block, or before Send returns, if the breaker lets nothing through.
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

  // url is the extender's address as configured.
  const std::string& url() const { return extender_.url_prefix; }
  std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  struct Receiver {
    // Of the body: what the extender says is an error, or "". An error: it cannot be read.
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
  // Judge is Finish without the books: the answer's own error, or why it is none.
  Result<std::string> Judge(const Sent& sent, Result<http::Response> response) const;
  const std::string& PathOf(ExtenderVerb verb) const { return extender_.*RowOf(verb).path; }

  const api::Extender extender_;
  const std::chrono::milliseconds timeout_;
  const Clock& clock_;
  ExtenderMetrics metrics_;
  CircuitBreaker breaker_;
  // Last, since their callbacks use the rest.
  std::unique_ptr<http::Transport> asking_;
  std::unique_ptr<http::Transport> binding_;  // null: it does not bind
};

}  // namespace berth::engine
