// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/cache/cache.h"
#include "scheduler/observer.h"

namespace berth::scenario {

// Answers are the results of one search for a node, by the names of plugins and nodes.
struct Answers {
  struct Score {
    int64_t raw = 0;
    int64_t normalized = 0;
  };
  std::string chosen;  // node, or empty
  // By node: "fits", or "NodeResourcesFit Unschedulable: Insufficient cpu". Nodes that were not
  // evaluated are absent. A search that stops early may have evaluated a few more nodes than it
  // needed.
  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::map<std::string, Score>> scores;  // by plugin, then node
  std::map<std::string, int64_t> totals;
};

// Recorder records the core's activity: lines of the transcript, the order and results of attempts,
// and the results of each pod's last attempt.
class Recorder final : public scheduler::SchedulerObserver {
 public:
  using Log = std::function<void(std::string line)>;

  explicit Recorder(Log log) : log_(std::move(log)) {}

  // Sets the cache that resolves node names. Requires: no attempt was made yet; `cache` outlives
  // the attempts.
  void SetCache(const scheduler::Cache& cache) { cache_ = &cache; }

  const Answers* LastOf(const std::string& pod_key) const;  // null: no attempt yet
  // TakeOrder and TakeResults return the history since the last call: the pods in the order of
  // their attempts, and the number of attempts by result.
  std::vector<std::string> TakeOrder() { return std::exchange(order_, {}); }
  std::map<std::string, int64_t> TakeResults() { return std::exchange(results_, {}); }

  void OnQueueIncoming(scheduler::QueueName queue, std::string_view event) override;
  void OnAttempt(scheduler::AttemptResult result, std::string_view profile, Duration took) override;
  scheduler::CycleTrace* BeginTrace(const scheduler::PendingPod& pod) override;
  void EndTrace(const scheduler::PendingPod& pod, std::string_view node) override;

 private:
  const std::string& NameOf(scheduler::Slot slot) const { return cache_->At(slot).name.text(); }
  void ReadVerdicts(Answers& answers) const;
  void LogAnswers(const Answers& answers) const;

  Log log_;
  const scheduler::Cache* cache_ = nullptr;
  scheduler::CycleTrace trace_;  // of the current attempt
  std::map<std::string, Answers> answers_;
  std::vector<std::string> order_;
  std::map<std::string, int64_t> results_;
};

}  // namespace berth::scenario
