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
  std::string root_ca;  // CA certificate for every namespace, PEM; empty: none
  KubeletOptions kubelet;
};

// Simulation is a cluster without its API server and scheduler: the controllers that Deployments
// need, and any number of nodes.
class Simulation {
 public:
  // Requires: client and clock outlive this.
  Simulation(client::Client& client, const Clock& clock, SimulationOptions options);
  ~Simulation();

  void Start();
  // Ends the processes of pods after at most `grace`, and all controllers.
  void Stop(std::chrono::seconds grace);

  // Adds a node; may be called at any time.
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
