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
#include "controllers/worker_check.h"

namespace berth::controllers {

// PodGroupController maintains the status of PodGroups, see pod_group_plan.h. Schedulers do not
// read it: it is for people, and for programs that wait for a phase.
//
//   PodGroups ──NAMESPACE/NAME──▶ WorkQueue ──▶ worker: StatusOf ──▶ patch if changed
//   pods with the label ───────────────┘
//
// Pods are watched only while the API server has the PodGroup CRD. Errors of these watches are
// logged and do not affect the operator's readiness.
class PodGroupController {
 public:
  // Requires: all references outlive this.
  PodGroupController(client::Client& client, ClientPort& port, const Clock& clock,
                     MetricsRegistry& metrics);
  ~PodGroupController();

  // Watch starts the informers; Work starts the writes, once this process leads.
  void Watch();
  void Work();
  // Stops the watches and waits for a running write.
  void Stop();

  // Returns the reason why the process must be restarted; nullopt: it is live.
  std::optional<std::string> StuckReason() const { return WhyStuck(queue_); }

 private:
  using Pods = client::Informer<api::Pod>;

  // On the thread of groups_:
  void FollowPods();
  void ForgetPods();

  void Take(const api::Change<api::Pod>& change);
  void EnqueueAll();
  void Enqueue(const std::string& key);
  void Run();
  Outcome Reconcile(const std::string& key);
  // Returns the pods of a group; nullopt until all pods are known.
  std::optional<GroupPods> PodsOf(const std::string& key) const;
  void WarnOnce(const api::PodGroup& group);

  client::Client& client_;
  ClientPort& port_;
  const Clock& clock_;
  WorkQueue queue_;
  ControllerMetrics metrics_;
  std::map<std::string, std::string> warned_of_;  // UID by NAMESPACE/NAME; used by the worker only

  mutable std::mutex mutex_;  // guards the three members below; keys are NAMESPACE/NAME
  bool knows_pods_ = false;   // the first list was delivered
  std::map<std::string, std::string> group_of_;  // the group of a pod
  std::map<std::string, GroupPods> pods_of_;     // the pods of a group

  std::unique_ptr<Pods> pods_;  // while the CRD is installed; used on the thread of groups_
  client::Informer<api::PodGroup> groups_;
  std::jthread worker_;
};

}  // namespace berth::controllers
