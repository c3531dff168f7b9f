// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/work_queue.h"
#include "client/client.h"
#include "controllers/cluster_view.h"
#include "controllers/controller_metrics.h"
#include "controllers/reconciler.h"
#include "controllers/worker_check.h"

namespace berth::controllers {

// ProfileController reconciles the SchedulerProfiles with watches, a queue and workers.
//
//   ClusterView ──profile name──▶ WorkQueue ──▶ worker: Reconciler ──▶ WritePort
//        ▲                           ▲    │
//        └────── API server          └────┘ backoff, requeue
class ProfileController {
 public:
  // Requires: all references outlive this.
  ProfileController(client::Client& client, WritePort& port, const PluginCatalogue& catalogue,
                    PlanOptions options, const Clock& clock, MetricsRegistry& metrics);
  ~ProfileController();

  // Watch starts the informers; Work starts the workers, once this process leads.
  void Watch();
  void Work();
  // Stops the watches and waits for the running reconciles.
  void Stop();

  // Returns the watches that are not synced or fail; empty: ready.
  std::vector<std::string> Errors() const { return view_.Errors(); }

  // Returns the reason why the process must be restarted; nullopt: it is live.
  std::optional<std::string> StuckReason() const { return WhyStuck(queue_); }

 private:
  void Run();
  void Handle(const std::string& name);
  void Enqueue(const std::string& name);

  WorkQueue queue_;
  WriteMemory memory_;
  ControllerMetrics metrics_;
  ClusterView view_;
  Reconciler reconciler_;
  std::vector<std::jthread> workers_;
};

}  // namespace berth::controllers
