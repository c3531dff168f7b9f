// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "engine/metric_source/credentials.h"
#include "engine/metric_source/prometheus_answer.h"
#include "scheduler/framework/node_metric.h"

namespace berth::engine {

// Pause waits for this time, or until stop is requested.
using Pause = std::function<void(std::chrono::nanoseconds length, const std::stop_token& stop)>;
void PauseFor(std::chrono::nanoseconds length, const std::stop_token& stop);

// MetricSource repeats one query to a Prometheus, on its own thread:
//
//   pause ──▶ query ──▶ a response or an error ──▶ tell ──▶ pause
//
// The first query is sent at once. Later pauses are refreshInterval, doubled after each failure up
// to kLongestPause, or refreshInterval if that is longer. A query is limited to its timeout and to
// kMaxAnswer bytes, and follows no redirects. Over https the certificate is always verified. The
// Secret's files are read for each query, so that a new token is used by the next query.
class MetricSource {
 public:
  static constexpr std::chrono::minutes kLongestPause{2};
  static constexpr size_t kMaxAnswer = 16 << 20;

  struct Parts {
    const Clock& clock;
    Pause pause;
    FileOf file_of;
    // Must not connect to an address that no profile may name, also not by name resolution
    // (api/outbound_address.h).
    bool is_guarded = false;
    // Receives each result and its duration. Called on the source's thread.
    std::function<void(Result<PrometheusAnswer>, std::chrono::nanoseconds took)> tell;
  };

  // Starts the queries. Requires: the clock outlives this.
  MetricSource(scheduler::MetricQuery query, Parts parts)
      : query_(std::move(query)),
        parts_(std::move(parts)),
        thread_([this](const std::stop_token& stop) {
          Run(stop);
          is_over_ = true;
        }) {}
  // Stops, and waits for the end of the thread.
  ~MetricSource() = default;

  // Requests a stop and cancels the running query. A running name lookup delays the end (IsOver)
  // until the resolver returns.
  void Stop() { thread_.request_stop(); }
  bool IsOver() const { return is_over_; }

 private:
  void Run(const std::stop_token& stop);
  Result<PrometheusAnswer> Ask(const std::stop_token& stop) const;

  const scheduler::MetricQuery query_;
  const Parts parts_;
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;  // last
};

}  // namespace berth::engine
