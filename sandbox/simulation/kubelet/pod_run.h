// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/kubelet/container_runner.h"
#include "sandbox/simulation/kubelet/pod_status.h"
#include "sandbox/simulation/kubelet/volumes.h"

namespace berth::simulation {

// A pod with kRunSecondsAnnotation ends this many seconds after its start, with the exit code of
// kExitCodeAnnotation or 0; its restart policy is assumed to be Never. For simulated containers
// only.
inline constexpr const char* kRunSecondsAnnotation = "simulation.berth.dev/run-seconds";
inline constexpr const char* kExitCodeAnnotation = "simulation.berth.dev/exit-code";

// PodRun is one pod on its node. For one thread at a time.
class PodRun {
 public:
  virtual ~PodRun() = default;

  // Returns the current state of the containers, in the pod's order.
  virtual std::vector<ContainerView> Containers() = 0;
  // Performs pending work: updates the volumes. Returns the delay until the next call.
  virtual Result<RequeueAfter> Refresh(const api::Pod& pod) = 0;
  // Stops all containers within `grace`; returns at once.
  virtual void Stop(std::chrono::seconds grace) = 0;
  virtual bool HasEnded() = 0;
};

// SimulatedRun simulates containers of any image: they start at once, do nothing, and stop at once.
class SimulatedRun final : public PodRun {
 public:
  // Requires: clock outlives this.
  SimulatedRun(const api::Pod& pod, const Clock& clock);

  std::vector<ContainerView> Containers() override;
  Result<RequeueAfter> Refresh(const api::Pod& pod) override;
  void Stop(std::chrono::seconds) override {}
  bool HasEnded() override { return true; }

 private:
  const Clock& clock_;
  std::vector<ContainerView> running_;
  std::optional<SteadyTime> ends_at_;
  int exit_code_ = 0;
};

// ProcessOptions describes the machine to the processes of pods.
struct ProcessOptions {
  std::string berth;  // path of the program that is the image's entry point
  // Maps the first word of a command to the program that runs in its place. Containers of other
  // images with any other command are only simulated.
  std::map<std::string, std::string> commands;
  std::string folder;              // for the pods' volumes and logs; must exist
  std::string api_host, api_port;  // KUBERNETES_SERVICE_HOST and _PORT
  // The first half of the pods' addresses. All of them must be addresses of this machine (by
  // default of its loopback) and unused.
  std::string network = "127.77";
  // The command prefix of processes on the host's network, by node; such a pod has the node's
  // address. On other nodes they run without one.
  std::map<std::string, std::vector<std::string>> host_networks;
  // Overrides the period of readiness probes, in seconds; 0: no override.
  int readiness_period = 0;
};

// ProcessRun runs each container as a child process with the command, arguments and variables of
// the pod. A process has the machine's files and network, so four things differ from a cluster.
// Arguments contain the folders of volumes instead of mount paths. Addresses for all interfaces
// become the pod's. BERTH_SERVICEACCOUNT_ROOT is the folder of the account's files.
// BERTH_SCHEDULER_ARCHITECTURE is the architecture in the Nodes, whatever this machine has.
class ProcessRun final : public PodRun {
 public:
  // Writes the volumes and starts the processes. Errors name the missing object. `on_change` is
  // called on any thread. Requires: sources and clock outlive this.
  static Result<std::unique_ptr<ProcessRun>> Start(const api::Pod& pod, const std::string& pod_ip,
                                                   const ProcessOptions& options,
                                                   PodSources& sources, const Clock& clock,
                                                   const std::function<void()>& on_change);

  std::vector<ContainerView> Containers() override;
  Result<RequeueAfter> Refresh(const api::Pod& pod) override;
  void Stop(std::chrono::seconds grace) override;
  bool HasEnded() override;

 private:
  explicit ProcessRun(std::unique_ptr<PodVolumes> volumes) : volumes_(std::move(volumes)) {}

  std::unique_ptr<PodVolumes> volumes_;
  std::vector<std::unique_ptr<ContainerRunner>> containers_;
};

}  // namespace berth::simulation
