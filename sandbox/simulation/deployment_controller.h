// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/deployment_plan.h"

namespace berth::simulation {

// DeploymentController rolls out the templates of Deployments through ReplicaSets.
class DeploymentController {
 public:
  // Requires: all references outlive this; the informers have not started.
  DeploymentController(client::Client& client, client::Informer<Deployment>& deployments,
                       client::Informer<ReplicaSet>& sets, client::Informer<api::Pod>& pods,
                       const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<RequeueAfter> Reconcile(const std::string& key);
  DeploymentView ViewOf(const Deployment& deployment) const;
  bool OldPodsExist(const Deployment& deployment, const std::vector<ReplicaSetPtr>& sets) const;
  Result<void> Carry(const Deployment& deployment, const DeploymentPlan& plan);
  Result<void> CreateSet(const Deployment& deployment, const DeploymentPlan::NewSet& set);
  Result<void> CountCollision(const Deployment& deployment);

  client::Client& client_;
  client::Informer<Deployment>& deployments_;
  client::Informer<ReplicaSet>& sets_;
  client::Informer<api::Pod>& pods_;
  const Clock& clock_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
