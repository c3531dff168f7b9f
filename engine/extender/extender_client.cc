// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/extender_client.h"

#include <algorithm>

#include "base/log.h"
#include "base/strings.h"
#include "engine/content_encoding.h"
#include "engine/outside_text.h"

namespace berth::engine {
namespace {

std::chrono::milliseconds TimeoutOf(const api::Extender& extender) {
  return std::max(
      std::chrono::duration_cast<std::chrono::milliseconds>(extender.http_timeout.length()),
      std::chrono::milliseconds(1));
}

}  // namespace

// Sent is a running call.
struct ExtenderClient::Sent {
  ExtenderVerb verb;
  Receiver receiver;
  CircuitBreaker::Ticket ticket;
  SteadyTime begun;
};

ExtenderClient::ExtenderClient(api::Extender extender, const Clock& clock,
                               MetricsRegistry& registry)
    : extender_(std::move(extender)),
      timeout_(TimeoutOf(extender_)),
      clock_(clock),
      metrics_(registry, extender_.url_prefix),
      breaker_(clock, [this](CircuitBreaker::State state) { metrics_.SetBreaker(state); }) {
  metrics_.SetBreaker(CircuitBreaker::State::kClosed);
}

ExtenderClient::~ExtenderClient() = default;

Result<std::unique_ptr<ExtenderClient>> ExtenderClient::Create(const api::Extender& extender,
                                                               const ExtenderReach& reach,
                                                               const Clock& clock,
                                                               MetricsRegistry& registry) {
  BERTH_TRY(auto asking, MakeExtenderTransport(extender, reach, /*keeps_connections=*/true));
  std::unique_ptr<http::Transport> binding;
  if (!extender.bind_verb.empty()) {
    BERTH_TRY(binding, MakeExtenderTransport(extender, reach, /*keeps_connections=*/false));
  }
  BERTH_TRY(const bool is_verified, VerifiesCertificate(extender, reach));
  std::unique_ptr<ExtenderClient> client(new ExtenderClient(extender, clock, registry));
  client->asking_ = std::move(asking);
  client->binding_ = std::move(binding);
  client->metrics_.SetUnverified(!is_verified);
  if (!is_verified) {
    log::Warn("The certificate of an extender is not verified", {{"extender", client->url()}});
  }
  return client;
}

void ExtenderClient::Exchange(ExtenderVerb verb, std::string question, Receiver receiver,
                              std::stop_token stop) {
  const auto ticket = breaker_.Admit();
  if (!ticket) {
    metrics_.Count(verb, ExtenderMetrics::Result::kRejected);
    return receiver.done(Fail(ticket.error().With("extender " + url())));
  }
  const bool binds = verb == ExtenderVerb::kBind;
  http::Request request{.method = "POST",
                        .target = "/" + PathOf(verb),
                        .headers = {},
                        .body = std::move(question),
                        .timeout = timeout_,
                        .max_body_bytes = binds ? kMaxBindAnswer : kMaxAnswer};
  request.headers.Set("Content-Type", "application/json");
  const auto sent =
      std::make_shared<const Sent>(Sent{verb, std::move(receiver), *ticket, clock_.Now()});
  (binds ? *binding_ : *asking_)
      .Send(
          std::move(request),
          [this, sent](Result<http::Response> response) { Finish(*sent, std::move(response)); },
          std::move(stop));
}

void ExtenderClient::Finish(const Sent& sent, Result<http::Response> response) {
  const bool given_up = !response && response.error().Is(Reason::kCanceled);
  metrics_.Time(sent.verb, clock_.Now() - sent.begun);
  auto judged = Judge(sent, std::move(response));
  if (given_up) {
    breaker_.GivenUp(sent.ticket);
    metrics_.Count(sent.verb, ExtenderMetrics::Result::kCanceled);
  } else if (judged) {
    breaker_.Succeeded(sent.ticket);
    metrics_.Count(sent.verb, judged->empty() ? ExtenderMetrics::Result::kSuccess
                                              : ExtenderMetrics::Result::kError);
  } else {
    breaker_.Failed(sent.ticket, OutsideText(judged.error().message()));
    metrics_.Count(sent.verb, ExtenderMetrics::Result::kError);
  }
  if (!judged) {
    return sent.receiver.done(Fail(judged.error().reason(), OutsideText(judged.error().message())));
  }
  if (!judged->empty()) {
    return sent.receiver.done(Fail(Reason::kInternalError, OutsideText(*judged)));
  }
  sent.receiver.done({});
}

Result<std::string> ExtenderClient::Judge(const Sent& sent, Result<http::Response> response) const {
  if (!response) return Fail(std::move(response).error());
  const std::string& verb = PathOf(sent.verb);
  const std::string at = ExtenderUrl(extender_) + "/" + verb;
  if (response->code != 200) {
    return Fail(Reason::kUnavailable, "failed " + verb + " with extender at URL " + at + ", code " +
                                          std::to_string(response->code));
  }
  if (auto plain = RejectEncoding(*response); !plain) {
    return Fail(plain.error().With("extender at URL " + at));
  }
  // Extenders written in Go often send no body for a successful binding.
  if (sent.verb == ExtenderVerb::kBind && TrimSpace(response->body).empty()) return "";
  auto error = sent.receiver.read(response->body);
  if (!error) return Fail(error.error().With("answer of the extender at URL " + at));
  return error;
}

}  // namespace berth::engine
