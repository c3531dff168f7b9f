// SPDX-License-Identifier: Apache-2.0
#include "http/client/line_queue.h"

#include <utility>

namespace berth::http {

LineQueue::LineQueue(size_t max_line, size_t max_buffered)
    : max_line_(max_line), max_buffered_(max_buffered) {}

bool LineQueue::Append(std::string_view bytes, std::function<void()> resume) {
  std::lock_guard lock(mutex_);
  while (!end_ && !bytes.empty()) {
    const size_t newline = bytes.find('\n');
    partial_ += bytes.substr(0, newline);
    if (partial_.size() > max_line_) {
      EndLocked(Fail(Reason::kRequestEntityTooLarge, "a line of the answer is longer than " +
                                                         std::to_string(max_line_) + " bytes"));
      partial_.clear();
      break;
    }
    if (newline == std::string_view::npos) break;
    Push(std::exchange(partial_, {}));
    bytes.remove_prefix(newline + 1);
  }
  changed_.notify_one();
  if (end_ || buffered_ <= max_buffered_) return true;
  resume_ = std::move(resume);
  return false;
}

void LineQueue::Push(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  buffered_ += line.size();
  lines_.push_back(std::move(line));
}

void LineQueue::End(Result<void> how) {
  std::lock_guard lock(mutex_);
  if (!end_ && !partial_.empty()) Push(std::exchange(partial_, {}));
  EndLocked(std::move(how));
}

void LineQueue::EndLocked(Result<void> how) {
  if (!end_) end_ = std::move(how);
  changed_.notify_one();
}

void LineQueue::Close() {
  std::function<void()> resume;
  {
    std::lock_guard lock(mutex_);
    lines_.clear();
    partial_.clear();
    buffered_ = 0;
    end_ = Fail(Reason::kCanceled, "canceled");
    resume = std::exchange(resume_, nullptr);
    changed_.notify_one();
  }
  if (resume) resume();
}

Result<std::optional<std::string>> LineQueue::Next() {
  std::function<void()> resume;
  std::optional<std::string> line;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !lines_.empty() || end_; });
    if (lines_.empty()) {
      if (!*end_) return Fail(end_->error());
      return std::nullopt;
    }
    line = std::move(lines_.front());
    lines_.pop_front();
    buffered_ -= line->size();
    if (buffered_ <= max_buffered_ / 2) resume = std::exchange(resume_, nullptr);
  }
  if (resume) resume();
  return line;
}

}  // namespace berth::http
