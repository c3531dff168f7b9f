// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "client/client_config.h"
#include "sandbox/demo/local_server.h"
#include "sandbox/simulation/kubelet/container_runner.h"
#include "sandbox/simulation/simulation.h"

namespace berth::sandbox {

// ScratchFolder is a new folder that only its owner can read; the destructor deletes it with its
// content.
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

// DemoCluster is a cluster on this machine: an API server, simulated nodes and controllers, and a
// `berth scheduler` that serves default-scheduler in place of kube-scheduler.
class DemoCluster {
 public:
  // Starts an in-memory API server, or connects as administrator to the one in `kubeconfig`, which
  // must have no controllers and nodes of its own. Then starts the other parts. Requires: clock
  // outlives the cluster.
  static Result<std::unique_ptr<DemoCluster>> Start(const std::string& kubeconfig,
                                                    const Clock& clock);
  // Ends all processes.
  ~DemoCluster();

  client::Client& client() { return *client_; }
  simulation::Simulation& simulation() { return *simulation_; }
  const std::string& server() const { return config_.server; }
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  const std::filesystem::path& folder() const { return folder_->path(); }

  // Returns the reason why the cluster's own scheduler is not running; empty: it is ready.
  std::string SchedulerError() const;

 private:
  explicit DemoCluster(std::unique_ptr<ScratchFolder> folder) : folder_(std::move(folder)) {}
  Result<void> Connect(const std::string& kubeconfig, const Clock& clock);
  Result<void> PublishServer();
  Result<void> StartSimulation(const Clock& clock);
  Result<void> StartScheduler(const Clock& clock);

  // In order of creation; destroyed in reverse order.
  const std::unique_ptr<ScratchFolder> folder_;
  std::unique_ptr<LocalServer> local_;  // null: an external server is used
  std::filesystem::path kubeconfig_;
  client::ClientConfig config_;
  std::string network_;  // first half of the pods' loopback addresses
  std::unique_ptr<client::Client> client_;
  std::unique_ptr<simulation::Simulation> simulation_;
  std::unique_ptr<simulation::ContainerRunner> scheduler_;
};

}  // namespace berth::sandbox
