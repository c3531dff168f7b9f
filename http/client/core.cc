// SPDX-License-Identifier: Apache-2.0
#include "http/client/core.h"

#include <optional>
#include <utility>

#include "base/check.h"
#include "http/callback_scope.h"

namespace berth::http {

// SentRequest is one request from Send to its callback: waiting in its lane, running, done.
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

// Answer collects the response to a request.
class Core::Answer final : public Carrier::Receiver {
 public:
  Answer(std::shared_ptr<Core> core, std::shared_ptr<SentRequest> exchange)
      : core_(std::move(core)), exchange_(std::move(exchange)) {}

  void OnHead(int code, Headers headers) override {
    response_.code = code;
    response_.headers = std::move(headers);
  }
  bool OnBody(std::string_view bytes, std::function<void()> /*resume*/) override {
    core_->TakeBody(exchange_, bytes, response_.body);
    return true;
  }
  // The library may reach the end before it processes the cancellation of a too large body.
  void OnEnd(Result<void> how) override {
    if (how && exchange_->give_up.cause() != Cause::kTooLarge) {
      return core_->Finish(exchange_, std::move(response_));
    }
    auto given_up = core_->WhyGivenUp(*exchange_);
    core_->Finish(exchange_, Fail(given_up ? std::move(*given_up) : std::move(how).error()));
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::shared_ptr<SentRequest> exchange_;
  Response response_;
};

Core::Waiting& Core::WaitingIn(Lane lane) { return lane == Lane::kUrgent ? urgent_ : normal_; }

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

// Returns a callback for Abandon that is safe after the exchange or the Core is gone.
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
      Waiting::Queue& queue = WaitingIn(exchange->request.lane).queue;
      exchange->place = queue.insert(queue.end(), exchange);
    }
  }
  if (!given_up) return StartNext(exchange->request.lane);
  FinishGivenUp(exchange);
}

// Cancels an exchange: removes a waiting one from its lane, interrupts a running one.
void Core::Abandon(const std::shared_ptr<SentRequest>& exchange, Cause cause) {
  exchange->give_up.Now(cause);
  {
    std::lock_guard lock(mutex_);
    if (exchange->state != SentRequest::State::kWaiting) return;
    WaitingIn(exchange->request.lane).queue.erase(exchange->place);
    exchange->state = SentRequest::State::kDone;
  }
  FinishGivenUp(exchange);
}

void Core::StartNext(Lane lane) {
  while (true) {
    std::shared_ptr<SentRequest> next;
    {
      std::lock_guard lock(mutex_);
      Waiting& waiting = WaitingIn(lane);
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
  carrier_->Carry(exchange->request, std::make_shared<Answer>(shared_from_this(), exchange),
                  exchange->give_up.token());
}

// Appends a piece of the body. Only this function changes the deadline of a running exchange, which
// ends only after the last piece.
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

std::optional<Error> Core::WhyGivenUp(const SentRequest& exchange) const {
  return WhyGivenUp(exchange.give_up, exchange.request, exchange.request.timeout);
}

void Core::FinishGivenUp(const std::shared_ptr<SentRequest>& exchange) {
  carrier_->Post([core = shared_from_this(), exchange] {
    core->Finish(exchange, Fail(*core->WhyGivenUp(*exchange)));
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
    if (exchange->state == SentRequest::State::kRunning) --WaitingIn(lane).in_flight;
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
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return active_ == 0; });
  }
  carrier_->Stop();
}

void Core::Enter() {
  std::lock_guard lock(mutex_);
  ++active_;
}

void Core::Leave() {
  std::lock_guard lock(mutex_);
  if (--active_ == 0) idle_.notify_all();
}

std::optional<Error> Core::WhyGivenUp(const GiveUp& give_up, const Request& request,
                                      std::chrono::milliseconds silence) const {
  const std::string& url = options_.url;
  switch (give_up.cause()) {
    case Cause::kCanceled:
      return Error{Reason::kCanceled, "request to " + url + " canceled"};
    case Cause::kDeadline:
      return Error{Reason::kTimeout, "no answer from " + url + " within " +
                                         std::to_string(request.timeout.count()) + " ms"};
    case Cause::kSilence:
      return Error{Reason::kTimeout,
                   "no data from " + url + " for " + std::to_string(silence.count()) + " ms"};
    case Cause::kTooLarge:
      return Error{Reason::kRequestEntityTooLarge, "the answer from " + url + " is longer than " +
                                                       std::to_string(request.max_body_bytes) +
                                                       " bytes"};
    case Cause::kNone:
      break;
  }
  return std::nullopt;
}

}  // namespace berth::http
