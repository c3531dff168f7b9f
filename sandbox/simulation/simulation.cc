// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/simulation.h"

#include <utility>

namespace berth::simulation {

Simulation::Simulation(client::Client& client, const Clock& clock, SimulationOptions options)
    : deployments_(client, {}, clock),
      replica_sets_(client, {}, clock),
      pods_(client, {}, clock),
      nodes_(client, {}, clock),
      namespaces_(client, {}, clock),
      accounts_(client, {}, clock),
      config_maps_(client, {}, clock),
      budgets_(client, {}, clock),
      fleet_(client, clock),
      kubelet_(client, fleet_, pods_, nodes_, clock, std::move(options.kubelet)),
      deployment_controller_(client, deployments_, replica_sets_, pods_, clock),
      replica_set_controller_(client, replica_sets_, pods_, clock),
      disruption_controller_(client, budgets_, pods_, replica_sets_, deployments_, clock),
      account_controller_(client, namespaces_, accounts_, config_maps_, std::move(options.root_ca),
                          clock),
      namespace_controller_(client, namespaces_, clock),
      collector_(client, clock) {}

Simulation::~Simulation() { Stop(std::chrono::seconds(0)); }

void Simulation::Start() {
  fleet_.Start();
  namespaces_.Start();
  accounts_.Start();
  config_maps_.Start();
  nodes_.Start();
  pods_.Start();
  replica_sets_.Start();
  deployments_.Start();
  budgets_.Start();
  account_controller_.Start();
  namespace_controller_.Start();
  deployment_controller_.Start();
  replica_set_controller_.Start();
  disruption_controller_.Start();
  kubelet_.Start();
  collector_.Start();
}

// Controllers stop before their informers: the listeners only add keys, which a queue ignores after
// its shutdown.
void Simulation::Stop(std::chrono::seconds grace) {
  deployment_controller_.Stop();
  replica_set_controller_.Stop();
  disruption_controller_.Stop();
  kubelet_.Stop(grace);
  account_controller_.Stop();
  namespace_controller_.Stop();
  collector_.Stop();
  fleet_.Stop();
  budgets_.Stop();
  deployments_.Stop();
  replica_sets_.Stop();
  pods_.Stop();
  nodes_.Stop();
  namespaces_.Stop();
  accounts_.Stop();
  config_maps_.Stop();
}

}  // namespace berth::simulation
