// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "http/client/cpprest_core.h"
#include "http/client/give_up.h"
#include "http/client/line_queue.h"
#include "http/client/transport.h"

namespace berth::http {

// Stream is one body that is read by lines. What the library's tasks touch is in Shared, which
// outlives the reader.
class CpprestStream final : public LineStream {
 public:
  struct Shared {
    explicit Shared(const TransportOptions& options)
        : queue(std::make_shared<LineQueue>(options.max_line_bytes, options.stream_buffer_bytes)) {}

    void SetHead(Result<Response> answer) {
      std::lock_guard lock(mutex);
      if (!head) head = std::move(answer);
      changed.notify_all();
    }
    Result<Response> WaitForHead() {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return head.has_value(); });
      return *head;
    }

    const std::shared_ptr<LineQueue> queue;
    GiveUp give_up;
    std::mutex mutex;  // guards head
    std::condition_variable changed;
    std::optional<Result<Response>> head;  // without a body
  };

  CpprestStream(std::shared_ptr<Core> core, std::stop_token stop)
      : core_(std::move(core)),
        shared_(std::make_shared<Shared>(core_->options())),
        on_stop_(std::move(stop), Canceler()),
        on_closing_(core_->closing(), Canceler()) {}

  ~CpprestStream() override {
    shared_->give_up.Now(Cause::kCanceled);
    shared_->queue->Close();
  }

  // Start blocks until the headers are there.
  Result<void> Start(const Request& request);

  int code() const override { return head_.code; }
  const Headers& headers() const override { return head_.headers; }
  Result<std::optional<std::string>> Next() override {
    BERTH_CHECK(BlockingAllowed(), "LineStream::Next on a thread that runs callbacks");
    return shared_->queue->Next();
  }

 private:
  // The queue ends at once, so that a reader does not wait for the library to notice.
  std::function<void()> Canceler() const {
    return [shared = shared_] {
      shared->give_up.Now(Cause::kCanceled);
      shared->queue->Close();
    };
  }

  const std::shared_ptr<Core> core_;
  const std::shared_ptr<Shared> shared_;
  Response head_;
  StopCallback on_stop_;
  StopCallback on_closing_;
};

}  // namespace berth::http
