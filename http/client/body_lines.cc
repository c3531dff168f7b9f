// SPDX-License-Identifier: Apache-2.0
#include "http/client/body_lines.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "http/client/line_queue.h"

namespace berth::http {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Inflow is the receiving side of a body; it outlives the reader.
class BodyLines::Inflow final : public Carrier::Receiver,
                                public std::enable_shared_from_this<Inflow> {
 public:
  Inflow(std::shared_ptr<Core> core, Request request)
      : core_(std::move(core)),
        request_(std::move(request)),
        queue_(core_->options().max_line_bytes, core_->options().stream_buffer_bytes) {}

  // Returns the head, without a body. Blocks.
  Result<Response> Start() {
    core_->Enter();
    core_->carrier().Carry(request_, shared_from_this(), give_up_.token());
    const Timer::Id deadline = core_->timer().After(
        request_.timeout, [self = shared_from_this()] { self->give_up_.Now(Cause::kDeadline); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return head_.has_value(); });
    core_->timer().Cancel(deadline);
    return *head_;
  }
  Result<std::optional<std::string>> Next() { return queue_.Next(); }

  // Ends the queue at once, so that a reader does not wait for the library.
  void Cancel() {
    give_up_.Now(Cause::kCanceled);
    queue_.Close();
  }

  void OnHead(int code, Headers headers) override {
    heard_ = steady_clock::now();
    ListenAgainIn(core_->options().silence_limit);
    SetHead(Response{.code = code, .headers = std::move(headers), .body = {}});
  }

  bool OnBody(std::string_view bytes, std::function<void()> resume) override {
    heard_ = steady_clock::now();
    // Set first, because the queue may call back inside Append.
    paused_ = true;
    const bool goes_on =
        queue_.Append(bytes, [self = shared_from_this(), resume = std::move(resume)] {
          self->heard_ = steady_clock::now();
          self->paused_ = false;
          resume();
        });
    if (goes_on) paused_ = false;
    return goes_on;
  }

  void OnEnd(Result<void> how) override {
    ended_ = true;
    if (!how) {
      auto given_up = core_->WhyGivenUp(give_up_, request_, core_->options().silence_limit);
      if (given_up) how = Fail(std::move(*given_up));
      SetHead(Fail(how.error()));
    }
    queue_.End(std::move(how));
    core_->Leave();
  }

 private:
  void SetHead(Result<Response> head) {
    std::lock_guard lock(mutex_);
    if (!head_) head_ = std::move(head);
    changed_.notify_all();
  }

  // Checks for silence once per period instead of resetting the timer for each piece. A paused peer
  // is not silent.
  void ListenAgainIn(milliseconds wait) {
    core_->timer().After(wait, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->CheckSilence();
    });
  }
  void CheckSilence() {
    if (ended_) return;
    const milliseconds limit = core_->options().silence_limit;
    if (paused_) return ListenAgainIn(limit);
    const auto left = std::chrono::ceil<milliseconds>(heard_.load() + limit - steady_clock::now());
    if (left.count() > 0) return ListenAgainIn(left);
    give_up_.Now(Cause::kSilence);
  }

  const std::shared_ptr<Core> core_;
  const Request request_;
  LineQueue queue_;
  GiveUp give_up_;
  std::atomic<steady_clock::time_point> heard_;
  std::atomic<bool> paused_ = false;
  std::atomic<bool> ended_ = false;

  std::mutex mutex_;  // guards head_
  std::condition_variable changed_;
  std::optional<Result<Response>> head_;  // without a body
};

BodyLines::BodyLines(std::shared_ptr<Core> core, Request request, std::stop_token stop)
    : core_(std::move(core)),
      inflow_(std::make_shared<Inflow>(core_, std::move(request))),
      on_stop_(std::move(stop), [inflow = inflow_] { inflow->Cancel(); }),
      on_closing_(core_->closing(), [inflow = inflow_] { inflow->Cancel(); }) {}

BodyLines::~BodyLines() { inflow_->Cancel(); }

Result<void> BodyLines::Start() {
  BERTH_TRY(head_, inflow_->Start());
  return {};
}

Result<std::optional<std::string>> BodyLines::Next() {
  BERTH_CHECK(BlockingAllowed(), "LineStream::Next on a thread that runs callbacks");
  return inflow_->Next();
}

}  // namespace berth::http
