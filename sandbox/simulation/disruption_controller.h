// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/policy.h"
#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/disruption_plan.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

// DisruptionController sets the status of each PodDisruptionBudget: the number of pods that may be
// evicted now. The API server decrements it for each granted eviction. A status that changed in the
// meantime is not overwritten.
class DisruptionController {
 public:
  // Requires: all references outlive this; the informers have not started.
  DisruptionController(client::Client& client, client::Informer<api::PodDisruptionBudget>& budgets,
                       client::Informer<api::Pod>& pods, client::Informer<ReplicaSet>& sets,
                       client::Informer<Deployment>& deployments, const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<RequeueAfter> Reconcile(const std::string& key);
  void AddBudgetsOf(const api::ObjectMeta& pod);
  void AddNamespace(const std::string& ns);
  // Requeues the budgets of a workload if its number of replicas changed.
  template <class Workload>
  void AddIfScaled(const api::Change<Workload>& change);
  std::vector<PodPtr> PodsOf(const api::PodDisruptionBudget& budget) const;
  std::optional<Workload> WorkloadOf(const api::Pod& pod) const;

  client::Client& client_;
  client::Informer<api::PodDisruptionBudget>& budgets_;
  client::Informer<api::Pod>& pods_;
  client::Informer<ReplicaSet>& sets_;
  client::Informer<Deployment>& deployments_;
  const Clock& clock_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
