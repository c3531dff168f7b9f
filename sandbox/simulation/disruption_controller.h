// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/policy.h"
#include "client/client.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/disruption_plan.h"
#include "sandbox/simulation/objects.h"
#include "sandbox/simulation/watch.h"

namespace berth::simulation {

// DisruptionController says in the status of each PodDisruptionBudget how many of its pods may be
// evicted now. The API server charges the budget for each eviction it grants; a status that it has
// changed meanwhile is not written over.
class DisruptionController {
 public:
  // Requires: all references outlive this; the watches have not started.
  DisruptionController(client::Client& client, Watch<api::PodDisruptionBudget>& budgets,
                       Watch<api::Pod>& pods, Watch<ReplicaSet>& sets,
                       Watch<Deployment>& deployments, const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<LookAgain> Reconcile(const std::string& key);
  void AddBudgetsOf(const api::ObjectMeta& pod);
  void AddNamespace(const std::string& ns);
  std::vector<PodPtr> PodsOf(const api::PodDisruptionBudget& budget) const;
  std::optional<Workload> WorkloadOf(const api::Pod& pod) const;

  client::Client& client_;
  Watch<api::PodDisruptionBudget>& budgets_;
  Watch<api::Pod>& pods_;
  Watch<ReplicaSet>& sets_;
  Watch<Deployment>& deployments_;
  const Clock& clock_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
