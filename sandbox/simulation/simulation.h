// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "client/client.h"
#include "sandbox/simulation/deployment_controller.h"
#include "sandbox/simulation/disruption_controller.h"
#include "sandbox/simulation/garbage_collector.h"
#include "sandbox/simulation/kubelet/kubelet.h"
#include "sandbox/simulation/kubelet/node_fleet.h"
#include "sandbox/simulation/namespace_controller.h"
#include "sandbox/simulation/replica_set_controller.h"
#include "sandbox/simulation/service_accounts.h"

namespace berth::simulation {

struct SimulationOptions {
  std::string root_ca;  // PEM text that goes into every namespace; empty: none
  KubeletOptions kubelet;
};

// Simulation is what a cluster has beside its API server and its scheduler: the controllers that
// deployments need, and any number of nodes.
class Simulation {
 public:
  // Requires: client and clock outlive this.
  Simulation(client::Client& client, const Clock& clock, SimulationOptions options);
  ~Simulation();

  void Start();
  // Stop ends the processes of pods, which have `grace` to end by themselves, and all controllers.
  void Stop(std::chrono::seconds grace);

  // AddNode lets a node join; any time.
  void AddNode(const NodeDescription& description) { fleet_.Add(description); }
  size_t RegisteredNodes() const { return fleet_.Registered(); }

 private:
  client::Informer<Deployment> deployments_;
  client::Informer<ReplicaSet> replica_sets_;
  client::Informer<api::Pod> pods_;
  client::Informer<api::Node> nodes_;
  client::Informer<api::Namespace> namespaces_;
  client::Informer<api::ServiceAccount> accounts_;
  client::Informer<api::ConfigMap> config_maps_;
  client::Informer<api::PodDisruptionBudget> budgets_;

  NodeFleet fleet_;
  Kubelet kubelet_;
  DeploymentController deployment_controller_;
  ReplicaSetController replica_set_controller_;
  DisruptionController disruption_controller_;
  ServiceAccountController account_controller_;
  NamespaceController namespace_controller_;
  GarbageCollector collector_;
};

}  // namespace berth::simulation
