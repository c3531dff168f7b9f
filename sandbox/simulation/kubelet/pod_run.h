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

// A pod with kRunSecondsAnnotation ends so long after its start, with the exit code of
// kExitCodeAnnotation or 0; its restart policy is taken to be Never. For simulated containers only.
inline constexpr const char* kRunSecondsAnnotation = "simulation.berth.dev/run-seconds";
inline constexpr const char* kExitCodeAnnotation = "simulation.berth.dev/exit-code";

// PodRun is one pod on its node. For one thread at a time.
class PodRun {
 public:
  virtual ~PodRun() = default;

  // Containers is how they are at this moment, in the pod's order.
  virtual std::vector<ContainerView> Containers() = 0;
  // Refresh does what is due: volumes brought up to date. Gives when it wants to be called again.
  virtual Result<LookAgain> Refresh(const api::Pod& pod) = 0;
  // Stop asks all containers to end within `grace`; returns at once.
  virtual void Stop(std::chrono::seconds grace) = 0;
  virtual bool HasEnded() = 0;
};

// SimulatedRun stands for containers of any image: they run at once, do nothing, and end at once.
class SimulatedRun final : public PodRun {
 public:
  // Requires: clock outlives this.
  SimulatedRun(const api::Pod& pod, const Clock& clock);

  std::vector<ContainerView> Containers() override;
  Result<LookAgain> Refresh(const api::Pod& pod) override;
  void Stop(std::chrono::seconds) override {}
  bool HasEnded() override { return true; }

 private:
  const Clock& clock_;
  std::vector<ContainerView> running_;
  std::optional<SteadyTime> ends_at_;
  int exit_code_ = 0;
};

// ProcessOptions is what processes of pods need of the machine.
struct ProcessOptions {
  std::string berth;  // path of the program that is the entry point of the image
  // What is run here in place of a command's first word, as a path. Containers of other images whose
  // command begins with none of these only pretend.
  std::map<std::string, std::string> commands;
  std::string folder;              // where pods' volumes and logs are; it must exist
  std::string api_host, api_port;  // KUBERNETES_SERVICE_HOST and _PORT
  // The first half of the addresses of pods, which all must be addresses of this machine (by default
  // of its loopback) that nobody else uses.
  std::string network = "127.77";
  // What the command of a process on the host's network begins with, by node; the node's address is that
  // of such a pod. On other nodes it runs as any.
  std::map<std::string, std::vector<std::string>> host_networks;
  // Seconds between two readiness probes of a container, whatever it says; 0: what it says.
  int readiness_period = 0;
};

// ProcessRun runs each container as a child process with the command, arguments and variables of
// the pod. Four things differ from a cluster, for a process has the machine's files and network:
// arguments name the folders where volumes are in place of mount paths, addresses that mean every
// interface become the pod's, BERTH_SERVICEACCOUNT_ROOT says where the account's files are, and
// BERTH_SCHEDULER_ARCHITECTURE what nodes say of themselves, whatever this machine is.
class ProcessRun final : public PodRun {
 public:
  // Start writes the volumes and starts the processes. Errors name what is missing. `on_change` is
  // called on any thread. Requires: sources and clock outlive this.
  static Result<std::unique_ptr<ProcessRun>> Start(const api::Pod& pod, const std::string& pod_ip,
                                                   const ProcessOptions& options,
                                                   PodSources& sources, const Clock& clock,
                                                   const std::function<void()>& on_change);

  std::vector<ContainerView> Containers() override;
  Result<LookAgain> Refresh(const api::Pod& pod) override;
  void Stop(std::chrono::seconds grace) override;
  bool HasEnded() override;

 private:
  explicit ProcessRun(std::unique_ptr<PodVolumes> volumes) : volumes_(std::move(volumes)) {}

  std::unique_ptr<PodVolumes> volumes_;
  std::vector<std::unique_ptr<ContainerRunner>> containers_;
};

}  // namespace berth::simulation
