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

// OwnKubeScheduler is the program that scripts/own-scheduler-build builds; it need not be there.
std::filesystem::path OwnKubeScheduler();

// Machines is what a control plane lacks to be a cluster: the nodes "node-1", "node-2" and
// "node-10", of 4 CPUs and 16Gi each, whose kubelets run pods of Berth, of kube-schedulers, of
// Python and of Prometheus as processes of this machine, while all others pretend; a scheduler for
// pods that name none; and names of Services. Each node has a network of its own for pods on the
// host's network, where the machine allows it.
class Machines {
 public:
  // Starts all of it, with its files in the control plane's folder. Throws when it does not come up.
  // Requires: the program has a network of its own, in which `hosts` says which names there are.
  Machines(const ControlPlane& control_plane, std::filesystem::path hosts);
  ~Machines();

  // AddNode has another node of that size join, without a network of its own, and RemoveNode leave.
  void AddNode(const std::string& name);
  void RemoveNode(const std::string& name);

  // PublishServices gives each Service the address of one of its pods for a name. One that has no pod
  // any more keeps the last, where nothing listens.
  void PublishServices();

  // WhyNoTraffic says why nobody can tell here what goes through the networks of nodes; empty:
  // Prometheus and its exporters can.
  std::string WhyNoTraffic() const;

  // Where a file for each container that is a process has what it wrote: NAMESPACE_POD_CONTAINER.log.
  std::filesystem::path log_folder() const;
  // What processes of pods and the scheduler have written, for a test that failed.
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
