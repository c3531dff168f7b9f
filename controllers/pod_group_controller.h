// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "api/change.h"
#include "api/pod.h"
#include "api/pod_group.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/work_queue.h"
#include "client/client.h"
#include "client/informer.h"
#include "controllers/client_port.h"
#include "controllers/controller_metrics.h"
#include "controllers/pod_group_plan.h"

namespace berth::controllers {

// PodGroupController keeps the status of PodGroups, as pod_group_plan.h says. Schedulers do not read
// it: it is for people, and for programs that wait for a phase.
//
//   PodGroups ──NAMESPACE/NAME──▶ WorkQueue ──▶ worker: StatusOf ──▶ patch, if it is another
//   pods with the label ───────────────┘
//
// While the API server does not know PodGroups there are none, and no pod is watched. What goes wrong
// with these watches is logged and keeps the operator from nothing else, so that they are none of its
// readiness.
class PodGroupController {
 public:
  // Requires: all references outlive this.
  PodGroupController(client::Client& client, ClientPort& port, const Clock& clock,
                     MetricsRegistry& metrics);
  ~PodGroupController();

  // Watch begins to fill the stores; Work begins to write, once we lead.
  void Watch();
  void Work();
  // Stop ends the watches and waits for the write that is under way.
  void Stop();

 private:
  using Pods = client::Informer<api::Pod>;

  // Of the thread of groups_:
  void FollowPods();
  void ForgetPods();

  void Take(const api::Change<api::Pod>& change);
  void EnqueueAll();
  void Enqueue(const std::string& key);
  void Run();
  Outcome Reconcile(const std::string& key);
  // PodsOf is nothing as long as not all pods are known.
  std::optional<GroupPods> PodsOf(const std::string& key) const;
  void WarnOnce(const api::PodGroup& group);

  client::Client& client_;
  ClientPort& port_;
  const Clock& clock_;
  WorkQueue queue_;
  ControllerMetrics metrics_;
  std::map<std::string, std::string> warned_of_;  // UID by NAMESPACE/NAME; of the worker alone

  mutable std::mutex mutex_;                     // guards the three below; keys are NAMESPACE/NAME
  bool knows_pods_ = false;                      // their first list is there
  std::map<std::string, std::string> group_of_;  // a pod's
  std::map<std::string, GroupPods> pods_of_;     // a PodGroup's

  std::unique_ptr<Pods> pods_;  // while PodGroups are known; of the thread of groups_
  client::Informer<api::PodGroup> groups_;
  std::jthread worker_;
};

}  // namespace berth::controllers
