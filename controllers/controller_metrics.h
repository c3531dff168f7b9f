// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/metrics.h"
#include "base/work_queue.h"
#include "controllers/reconciler.h"

namespace berth::controllers {

// ControllerMetrics records the metrics of one controller. They have the names of
// controller-runtime and client-go, which existing dashboards query. Source: controller-runtime
// pkg/internal/controller/metrics/metrics.go; client-go util/workqueue/metrics.go. Thread safe.
class ControllerMetrics {
 public:
  // Requires: registry and queue outlive this; the registry is not collected after the queue is
  // destroyed.
  ControllerMetrics(MetricsRegistry& registry, const std::string& controller, int workers,
                    const WorkQueue& queue);

  // Running measures one reconcile, from its construction to its destruction.
  class Running {
   public:
    explicit Running(ControllerMetrics& metrics);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    ControllerMetrics& metrics_;
    const std::chrono::steady_clock::time_point begun_;
  };
  Running Begin() { return Running(*this); }

  void Count(const Outcome& outcome);
  void CountAdd() { adds_.Increment(); }

 private:
  Counter& success_;
  Counter& error_;
  Counter& requeue_;
  Counter& requeue_after_;
  Counter& errors_;
  Counter& terminal_errors_;
  Counter& adds_;
  Counter& retries_;
  Counter& corrections_;
  Counter& contests_;
  Gauge& active_;
  Histogram& reconcile_time_;
  Histogram& work_duration_;
};

// Registers leader_election_master_status: 1 while this process leads.
Gauge& AddLeadership(MetricsRegistry& registry, const std::string& name);

}  // namespace berth::controllers
