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

// Pause waits for so long, or until it is asked to stop.
using Pause = std::function<void(std::chrono::nanoseconds length, const std::stop_token& stop)>;
void PauseFor(std::chrono::nanoseconds length, const std::stop_token& stop);

// MetricSource asks a Prometheus one query again and again, on a thread of its own:
//
//   pause ──▶ ask ──▶ an answer, or why there is none ──▶ tell ──▶ pause
//
// The first pause is none. Then it is refreshInterval, and after failures twice as long each time, up
// to kLongestPause, or refreshInterval where that is longer. A question takes its timeout at most,
// kMaxAnswer bytes at most, and no redirect; over https the certificate is verified, always. The Secret's
// files are read for each question, so a new token is used at the next.
class MetricSource {
 public:
  static constexpr std::chrono::minutes kLongestPause{2};
  static constexpr size_t kMaxAnswer = 16 << 20;

  struct Parts {
    const Clock& clock;
    Pause pause;
    FileOf file_of;
    // Leads nowhere that no profile may name, also where a name resolves to it
    // (api/outbound_address.h).
    bool is_guarded = false;
    // What was heard, and how long it took. On the source's thread.
    std::function<void(Result<PrometheusAnswer>, std::chrono::nanoseconds took)> tell;
  };

  // Begins to ask. Requires: the clock outlives this.
  MetricSource(scheduler::MetricQuery query, Parts parts)
      : query_(std::move(query)),
        parts_(std::move(parts)),
        thread_([this](const std::stop_token& stop) {
          Run(stop);
          is_over_ = true;
        }) {}
  // Stops, and waits for the end.
  ~MetricSource() = default;

  // Stop gives up the question that is on its way. A name that is being looked up holds up the end,
  // IsOver, for as long as the resolver takes.
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
