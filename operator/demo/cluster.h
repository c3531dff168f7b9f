// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "client/client_config.h"
#include "simulation/kubelet/container_runner.h"
#include "simulation/simulation.h"

namespace berth::operator_ {

// ScratchFolder is a new folder that only its owner can read; it goes with its content.
class ScratchFolder {
 public:
  static Result<std::unique_ptr<ScratchFolder>> Create();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path path_;
};

// DemoCluster is a cluster on this machine: an API server, simulated nodes and controllers, and, in
// kube-scheduler's place, a `berth scheduler` that answers for default-scheduler.
class DemoCluster {
 public:
  // Start connects to the API server that `kubeconfig` names, as its administrator, and starts the
  // rest. The server must have no controllers and no nodes of its own. Requires: clock outlives the
  // cluster.
  static Result<std::unique_ptr<DemoCluster>> Start(const std::string& kubeconfig,
                                                    const Clock& clock);
  // Ends all processes.
  ~DemoCluster();

  client::Client& client() { return *client_; }
  simulation::Simulation& simulation() { return *simulation_; }
  const std::string& server() const { return config_.server; }
  const std::filesystem::path& folder() const { return folder_->path(); }

  // SchedulerProblem says what keeps the cluster's own scheduler from running; empty: it is ready.
  std::string SchedulerProblem() const;

 private:
  DemoCluster(client::ClientConfig config, std::unique_ptr<ScratchFolder> folder,
              std::unique_ptr<client::Client> client);
  Result<void> StartScheduler(const std::string& kubeconfig, const Clock& clock);

  const client::ClientConfig config_;
  const std::unique_ptr<ScratchFolder> folder_;
  const std::unique_ptr<client::Client> client_;
  std::unique_ptr<simulation::Simulation> simulation_;
  std::unique_ptr<simulation::ContainerRunner> scheduler_;
};

}  // namespace berth::operator_
