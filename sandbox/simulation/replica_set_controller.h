// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/replica_set_plan.h"

namespace berth::simulation {

// ReplicaSetController creates and deletes pods until each ReplicaSet has its number of replicas,
// and reports the number of ready pods in its status.
class ReplicaSetController {
 public:
  // Requires: all references outlive this; the informers have not started.
  ReplicaSetController(client::Client& client, client::Informer<ReplicaSet>& sets,
                       client::Informer<api::Pod>& pods, const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<RequeueAfter> Reconcile(const std::string& key);
  Result<ReplicaSetPlan> PlanFromServer(const ReplicaSet& set);
  Result<void> Carry(const ReplicaSet& set, const ReplicaSetPlan& plan);
  Result<void> WriteStatus(const ReplicaSet& set, const ReplicaSetStatus& status);
  std::vector<PodPtr> PodsOf(const ReplicaSet& set) const;

  client::Client& client_;
  client::Informer<ReplicaSet>& sets_;
  client::Informer<api::Pod>& pods_;
  const Clock& clock_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
