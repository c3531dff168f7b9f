// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/control_loop.h"

#include <utility>

#include "base/log.h"

namespace berth::simulation {
namespace {

constexpr WorkQueue::Backoff kBackoff{.first = std::chrono::milliseconds(20),
                                      .limit = std::chrono::seconds(10)};

// Reports whether an error is transient: caused by a stale cache or an unavailable API server. It
// is retried without a log line. Creations in a terminating namespace also fail without one.
bool IsExpected(const Error& error) {
  const bool is_ending =
      error.Is(Reason::kForbidden) &&
      error.message().find("because it is being terminated") != std::string::npos;
  return is_ending || error.Is(Reason::kConflict) || error.Is(Reason::kNotFound) ||
         error.Is(Reason::kAlreadyExists) || error.Is(Reason::kUnavailable) ||
         error.Is(Reason::kTimeout) || error.Is(Reason::kCanceled);
}

}  // namespace

ObjectName ObjectName::FromKey(const std::string& key) {
  const size_t slash = key.find('/');
  if (slash == std::string::npos) return {.ns = "", .name = key};
  return {.ns = key.substr(0, slash), .name = key.substr(slash + 1)};
}

ControlLoop::ControlLoop(std::string what, const Clock& clock, int workers, Step step)
    : what_(std::move(what)),
      worker_count_(workers),
      step_(std::move(step)),
      queue_(clock, kBackoff) {}

void ControlLoop::Start() {
  for (int i = 0; i < worker_count_; ++i) {
    workers_.emplace_back([this] { Work(); });
  }
}

void ControlLoop::Stop() {
  queue_.ShutDown();
  workers_.clear();
}

void ControlLoop::Work() {
  while (const auto key = queue_.Get()) {
    if (!queue_.IsShutDown()) Handle(*key);
    queue_.Done(*key);
  }
}

void ControlLoop::Handle(const std::string& key) {
  const Result<RequeueAfter> outcome = step_(key);
  if (!outcome) {
    if (IsExpected(outcome.error())) {
      log::V(2).Info("Retrying", {{"what", what_}, {"key", key}, {"err", outcome.error()}});
    } else {
      log::Warn("Could not reconcile", {{"what", what_}, {"key", key}, {"err", outcome.error()}});
    }
    queue_.AddRateLimited(key);
    return;
  }
  queue_.Forget(key);
  if (*outcome) queue_.AddAfter(key, **outcome);
}

}  // namespace berth::simulation
