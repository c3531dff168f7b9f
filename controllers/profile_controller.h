// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
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

namespace berth::controllers {

// ProfileController runs everything about SchedulerProfiles: watches, queue, workers.
//
//   ClusterView ──profile name──▶ WorkQueue ──▶ worker: Reconciler ──▶ WritePort
//        ▲                           ▲    │
//        └────── API server          └────┘ backoff, look again
class ProfileController {
 public:
  // Requires: all references outlive this.
  ProfileController(client::Client& client, WritePort& port, const PluginCatalogue& catalogue,
                    PlanOptions options, const Clock& clock, MetricsRegistry& metrics);
  ~ProfileController();

  // Watch begins to fill the stores; Work begins to act, once we lead.
  void Watch();
  void Work();
  // Stop ends the watches and waits for the reconciles that run.
  void Stop();

  // Problems names what keeps the controller from knowing the cluster; empty: ready.
  std::vector<std::string> Errors() const { return view_.Errors(); }

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
