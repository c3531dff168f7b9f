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

// LineQueue connects the thread that receives a body with the thread that reads its lines. The
// producer never blocks: if the consumer is behind, the producer pauses and is resumed by a
// callback. Thread safe; one consumer.
class LineQueue {
 public:
  // max_line bounds one line; the producer should pause above max_buffered bytes.
  LineQueue(size_t max_line, size_t max_buffered);

  // Splits bytes into lines. Returns false to pause; `resume` is then called once, from the
  // consumer's thread or from Close, when there is room. Bytes after a line above the limit, or
  // after Close, are dropped.
  bool Append(std::string_view bytes, std::function<void()> resume);

  // Ends the body; the first call counts. A last line without newline is delivered.
  void End(Result<void> how);

  // Drops all lines and ends the body with kCanceled.
  void Close();

  // Blocks until the next line; nullopt is a clean end.
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
