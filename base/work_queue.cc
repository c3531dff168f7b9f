// SPDX-License-Identifier: Apache-2.0
#include "base/work_queue.h"

#include <algorithm>

#include "base/check.h"
#include "base/doubling.h"

namespace berth {

void WorkQueue::Add(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    AddLocked(key);
  }
  wake_.notify_one();
}

void WorkQueue::AddLocked(const std::string& key) {
  if (shut_down_ || !dirty_.insert(key).second) return;
  if (!processing_.contains(key)) MakeReadyLocked(key);
}

void WorkQueue::MakeReadyLocked(const std::string& key) {
  if (ready_.empty() && moved_) moved_ = clock_.Now();
  ready_.push_back(key);
}

void WorkQueue::AddAfter(const std::string& key, std::chrono::nanoseconds wait) {
  {
    const std::lock_guard lock(mutex_);
    AddAfterLocked(key, wait);
  }
  wake_.notify_one();  // a worker may be waiting for a later deadline
}

void WorkQueue::AddAfterLocked(const std::string& key, std::chrono::nanoseconds wait) {
  if (shut_down_) return;
  if (wait.count() <= 0) {
    AddLocked(key);
    return;
  }
  const SteadyTime now = clock_.Now();
  const SteadyTime due = wait > SteadyTime::max() - now ? SteadyTime::max() : now + wait;
  const auto [entry, is_new] = delayed_.try_emplace(key, due);
  if (!is_new) {
    if (entry->second <= due) return;
    schedule_.erase({entry->second, key});
    entry->second = due;
  }
  schedule_.insert({due, key});
}

void WorkQueue::AddRateLimited(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    int& failures = failures_[key];
    AddAfterLocked(key, Doubled(backoff_.first, failures, backoff_.limit));
    ++failures;
  }
  wake_.notify_one();
}

void WorkQueue::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  failures_.erase(key);
}

int WorkQueue::Failures(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(key);
  return found == failures_.end() ? 0 : found->second;
}

void WorkQueue::MoveDueLocked() {
  if (schedule_.empty()) return;
  const SteadyTime now = clock_.Now();
  while (!schedule_.empty() && schedule_.begin()->first <= now) {
    const std::string key = std::move(schedule_.extract(schedule_.begin()).value().second);
    delayed_.erase(key);
    AddLocked(key);
  }
}

std::optional<std::string> WorkQueue::TryGet() {
  const std::lock_guard lock(mutex_);
  return TryGetLocked();
}

std::optional<std::string> WorkQueue::TryGetLocked() {
  MoveDueLocked();
  const SteadyTime now = clock_.Now();
  moved_ = now;
  if (ready_.empty()) return std::nullopt;
  std::string key = std::move(ready_.front());
  ready_.pop_front();
  dirty_.erase(key);
  processing_.emplace(key, now);
  // One event may have made several keys ready, or another Get may have missed a notification.
  if (!ready_.empty()) wake_.notify_one();
  return key;
}

std::optional<std::string> WorkQueue::Get(SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (auto key = TryGetLocked()) return key;
    if (shut_down_) return std::nullopt;
    SteadyTime until = deadline;
    if (!schedule_.empty()) until = std::min(until, schedule_.begin()->first);
    if (until == SteadyTime::max()) {
      wake_.wait(lock);
    } else {
      wake_.wait_until(lock, until);
      if (std::chrono::steady_clock::now() >= deadline) return TryGetLocked();
    }
  }
}

void WorkQueue::Done(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    BERTH_CHECK(processing_.erase(key) == 1, "Done for a key that no worker has: " + key);
    if (dirty_.contains(key)) MakeReadyLocked(key);
  }
  wake_.notify_one();
}

std::optional<SteadyTime> WorkQueue::NextDeadline() const {
  const std::lock_guard lock(mutex_);
  if (schedule_.empty()) return std::nullopt;
  return schedule_.begin()->first;
}

void WorkQueue::ShutDown() {
  {
    const std::lock_guard lock(mutex_);
    shut_down_ = true;
    schedule_.clear();
    delayed_.clear();
  }
  wake_.notify_all();
}

bool WorkQueue::IsShutDown() const {
  const std::lock_guard lock(mutex_);
  return shut_down_;
}

std::chrono::nanoseconds WorkQueue::StuckFor() const {
  const std::lock_guard lock(mutex_);
  const SteadyTime now = clock_.Now();
  SteadyTime since = ready_.empty() ? now : moved_.value_or(now);
  for (const auto& [key, taken] : processing_) since = std::min(since, taken);
  return now - since;
}

size_t WorkQueue::ready() const {
  const std::lock_guard lock(mutex_);
  return ready_.size();
}

size_t WorkQueue::delayed() const {
  const std::lock_guard lock(mutex_);
  return delayed_.size();
}

}  // namespace berth
