// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/kubelet/kubelet.h"
#include "sandbox/simulation/kubelet/node_fleet.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/node_networks.h"
#include "tests/integration/harness/objects.h"

namespace berth::integration {

// The program of scripts/own-scheduler-build; it may be missing.
std::filesystem::path OwnKubeScheduler();

// Machines extends a control plane to a cluster. It adds the nodes "node-1", "node-2" and
// "node-10" with 4 CPUs and 16Gi each, a scheduler for pods without a scheduler name, and names of
// Services. The kubelets run pods of Berth, kube-schedulers, Python and Prometheus as processes of
// this machine, and only simulate all other pods. Each node has its own network for hostNetwork
// pods, if the machine allows it.
class Machines {
 public:
  // Starts everything, with its files in the control plane's folder. Throws on failure. Requires:
  // the program has its own network namespace, where `hosts` is the hosts file.
  Machines(const ControlPlane& control_plane, std::filesystem::path hosts);
  ~Machines();

  // AddNode adds another node of that size, without its own network; RemoveNode removes it.
  void AddNode(const std::string& name);
  void RemoveNode(const std::string& name);

  // Publishes the address of one pod of each Service under its name. A Service without pods keeps
  // its last address, where no process listens.
  void PublishServices();

  // Returns why the traffic of node networks cannot be measured here; empty if Prometheus and its
  // exporters can.
  std::string WhyNoTraffic() const;

  // The folder with the output of each container process: NAMESPACE_POD_CONTAINER.log.
  std::filesystem::path log_folder() const;
  // Returns the output of pod processes and the scheduler, for a failed test.
  std::string Logs() const;

 private:
  void StartScheduler();
  void AwaitNodes();
  bool IsReady(const std::string& node);

  const ControlPlane& control_plane_;
  const std::filesystem::path hosts_;
  Objects objects_;
  const SystemClock clock_;
  const std::unique_ptr<client::Client> client_;
  client::Informer<api::Pod> pods_;
  client::Informer<api::Node> nodes_;
  simulation::NodeFleet fleet_;
  const Result<std::unique_ptr<NodeNetworks>> networks_;
  simulation::Kubelet kubelet_;
  std::unique_ptr<Process> scheduler_;
  std::map<std::string, std::string> addresses_;  // by name
};

}  // namespace berth::integration
