// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::http {

// LineQueue is between the thread that receives a body and the one that reads its lines. The
// producer is never blocked: when the consumer is behind, it is told to wait and called back.
// Thread safe; one consumer.
class LineQueue {
 public:
  // max_line bounds one line; when more than max_buffered bytes wait, the producer should pause.
  LineQueue(size_t max_line, size_t max_buffered);

  // Append splits bytes into lines. False: pause; `resume` is called once, from the consumer's
  // thread or from Close, when there is room. After a line above the limit, or Close, bytes are
  // dropped.
  bool Append(std::string_view bytes, std::function<void()> resume);

  // End says what came after the last byte; the first call counts. A last line without newline is
  // delivered.
  void End(Result<void> how);

  // Close drops everything and ends with kCanceled.
  void Close();

  // Next blocks for a line; nullopt is a clean end.
  Result<std::optional<std::string>> Next();

 private:
  void Push(std::string line);
  void EndLocked(Result<void> how);

  const size_t max_line_;
  const size_t max_buffered_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::string partial_;
  size_t buffered_ = 0;  // bytes of lines_
  std::function<void()> resume_;
  std::optional<Result<void>> end_;
};

}  // namespace berth::http
