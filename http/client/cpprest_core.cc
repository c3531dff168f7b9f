// SPDX-License-Identifier: Apache-2.0
#include "http/client/cpprest_core.h"

#include <optional>
#include <utility>

#include "base/check.h"
#include "http/callback_scope.h"
#include "http/client/cpprest_messages.h"
#include "http/client/sink_streambuf.h"

namespace berth::http {

// SentRequest is one request on its way: waiting in its lane, running, done.
struct Core::SentRequest {
  enum class State { kNew, kWaiting, kRunning, kDone };

  Request request;
  Transport::Done done;
  GiveUp give_up;
  State state = State::kNew;       // guarded by Core::mutex_
  Waiting::Queue::iterator place;  // while kWaiting; guarded by Core::mutex_
  Timer::Id deadline = 0;
  std::optional<StopCallback> on_stop;
  std::optional<StopCallback> on_closing;
};

web::http::client::http_client_config Core::Config(std::chrono::milliseconds timeout) const {
  web::http::client::http_client_config config;
  config.set_timeout(timeout);
  config.set_max_redirects(0);
  if (!tls_) return config;
  config.set_validate_certificates(!options_.tls.insecure_skip_verify);
  config.set_ssl_context_callback([tls = tls_](boost::asio::ssl::context& context) {
    auto configured = tls->Configure(context.native_handle());
    if (!configured) throw TlsUnusable(std::move(configured).error());
  });
  return config;
}

Core::Waiting& Core::LaneOf(const SentRequest& exchange) {
  return exchange.request.lane == Lane::kUrgent ? urgent_ : normal_;
}

void Core::Send(Request request, Transport::Done done, std::stop_token stop) {
  auto exchange = std::make_shared<SentRequest>();
  exchange->request = std::move(request);
  exchange->done = std::move(done);
  Enter();
  SetDeadline(exchange);
  const auto cancel = AbandonLater(exchange, Cause::kCanceled);
  exchange->on_stop.emplace(std::move(stop), cancel);
  exchange->on_closing.emplace(closing(), cancel);
  Enqueue(exchange);
}

void Core::SetDeadline(const std::shared_ptr<SentRequest>& exchange) {
  const Request& request = exchange->request;
  const bool of_silence = request.timeout_of == TimeoutOf::kSilence;
  const Cause cause = of_silence ? Cause::kSilence : Cause::kDeadline;
  exchange->deadline = timer_.After(request.timeout, AbandonLater(exchange, cause));
}

// AbandonLater is Abandon for what may be called when the exchange, or all of this, is gone.
std::function<void()> Core::AbandonLater(const std::shared_ptr<SentRequest>& exchange,
                                         Cause cause) {
  return [core = weak_from_this(), weak = std::weak_ptr(exchange), cause] {
    const auto self = core.lock();
    const auto target = weak.lock();
    if (self && target) self->Abandon(target, cause);
  };
}

void Core::Enqueue(const std::shared_ptr<SentRequest>& exchange) {
  bool given_up = false;
  {
    std::lock_guard lock(mutex_);
    given_up = exchange->give_up.cause() != Cause::kNone;
    if (given_up) {
      exchange->state = SentRequest::State::kDone;
    } else {
      exchange->state = SentRequest::State::kWaiting;
      Waiting::Queue& queue = LaneOf(*exchange).queue;
      exchange->place = queue.insert(queue.end(), exchange);
    }
  }
  if (!given_up) return StartNext(exchange->request.lane);
  FinishSoon(exchange, ToError(exchange->give_up, nullptr, exchange->request));
}

// Abandon ends an exchange from outside: one that waits is taken out of its lane, one that runs is
// interrupted.
void Core::Abandon(const std::shared_ptr<SentRequest>& exchange, Cause cause) {
  exchange->give_up.Now(cause);
  {
    std::lock_guard lock(mutex_);
    if (exchange->state != SentRequest::State::kWaiting) return;
    LaneOf(*exchange).queue.erase(exchange->place);
    exchange->state = SentRequest::State::kDone;
  }
  FinishSoon(exchange, ToError(exchange->give_up, nullptr, exchange->request));
}

void Core::StartNext(Lane lane) {
  while (true) {
    std::shared_ptr<SentRequest> next;
    {
      std::lock_guard lock(mutex_);
      Waiting& waiting = lane == Lane::kUrgent ? urgent_ : normal_;
      if (waiting.queue.empty() || waiting.in_flight >= waiting.limit) return;
      next = std::move(waiting.queue.front());
      waiting.queue.pop_front();
      next->state = SentRequest::State::kRunning;
      ++waiting.in_flight;
    }
    Start(next);
  }
}

void Core::Start(const std::shared_ptr<SentRequest>& exchange) {
  auto message = ToLibrary(exchange->request, options_.tls.server_name);
  if (!message) return FinishSoon(exchange, std::move(message).error());
  auto response = std::make_shared<Response>();
  const auto core = shared_from_this();
  message->set_response_stream(BodyStream([core, exchange, response](std::string_view bytes) {
    core->TakeBody(exchange, bytes, response->body);
    return pplx::task_from_result(bytes.size());
  }));
  try {
    requests_.request(*message, exchange->give_up.token())
        .then([response](web::http::http_response answer) {
          response->code = answer.status_code();
          response->headers = FromLibrary(answer.headers());
          return answer.content_ready();
        })
        .then([core, exchange, response](pplx::task<web::http::http_response> task) {
          Result<Response> result;
          try {
            task.get();
            result = std::move(*response);
          } catch (...) {
            result =
                Fail(core->ToError(exchange->give_up, std::current_exception(), exchange->request));
          }
          core->Finish(exchange, std::move(result));
        });
  } catch (...) {
    FinishSoon(exchange, ToError(exchange->give_up, std::current_exception(), exchange->request));
  }
}

// TakeBody takes a piece of the answer. Nothing else touches the deadline of an exchange that runs,
// as it ends only after the last piece.
void Core::TakeBody(const std::shared_ptr<SentRequest>& exchange, std::string_view bytes,
                    std::string& body) {
  if (exchange->give_up.cause() != Cause::kNone) return;
  if (bytes.size() > exchange->request.max_body_bytes - body.size()) {
    return exchange->give_up.Now(Cause::kTooLarge);
  }
  body += bytes;
  if (exchange->request.timeout_of != TimeoutOf::kSilence) return;
  timer_.Cancel(exchange->deadline);
  SetDeadline(exchange);
}

void Core::FinishSoon(const std::shared_ptr<SentRequest>& exchange, Error error) {
  pplx::create_task([core = shared_from_this(), exchange, error = std::move(error)] {
    core->Finish(exchange, Fail(error));
  });
}

void Core::Finish(const std::shared_ptr<SentRequest>& exchange, Result<Response> result) {
  CallbackScope no_blocking;
  timer_.Cancel(exchange->deadline);
  exchange->on_stop.reset();
  exchange->on_closing.reset();
  const Lane lane = exchange->request.lane;
  {
    std::lock_guard lock(mutex_);
    if (exchange->state == SentRequest::State::kRunning) --LaneOf(*exchange).in_flight;
    exchange->state = SentRequest::State::kDone;
  }
  StartNext(lane);
  exchange->done(std::move(result));
  exchange->done = nullptr;
  Leave();
}

void Core::Shutdown() {
  BERTH_CHECK(BlockingAllowed(), "a transport is destroyed on a thread that runs its callbacks");
  closing_.request_stop();
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return active_ == 0; });
}

void Core::Enter() {
  std::lock_guard lock(mutex_);
  ++active_;
}

void Core::Leave() {
  std::lock_guard lock(mutex_);
  if (--active_ == 0) idle_.notify_all();
}

Error Core::ToError(const GiveUp& give_up, std::exception_ptr failure,
                    const Request& request) const {
  const std::string& url = options_.url;
  const std::string limit = std::to_string(request.timeout.count()) + " ms";
  switch (give_up.cause()) {
    case Cause::kCanceled:
      return {Reason::kCanceled, "request to " + url + " canceled"};
    case Cause::kDeadline:
      return {Reason::kTimeout, "no answer from " + url + " within " + limit};
    case Cause::kSilence:
      return {Reason::kTimeout, "nothing heard from " + url + " for " + limit};
    case Cause::kTooLarge:
      return {Reason::kRequestEntityTooLarge, "the answer from " + url + " is longer than " +
                                                  std::to_string(request.max_body_bytes) +
                                                  " bytes"};
    case Cause::kNone:
      break;
  }
  return FromFailure(std::move(failure), url, tls_ ? tls_->LastFailure() : "",
                     options_.silence_limit);
}

}  // namespace berth::http
