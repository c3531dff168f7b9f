// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/scheduler.h"

#include <fstream>

#include "tests/integration/harness/control_plane.h"

namespace berth::differential {

std::string Scheduler::NameOf(Program program) {
  return program == Program::kBerth ? "berth" : "kube-scheduler";
}

Scheduler::Scheduler(Program program, const Json& profiles, const std::filesystem::path& kubeconfig,
                     const std::filesystem::path& folder)
    : log_(folder / (NameOf(program) + ".log")) {
  const auto config = folder / (NameOf(program) + ".config.json");
  std::ofstream(config) << Json{
      {"apiVersion", "kubescheduler.config.k8s.io/v1"},
      {"kind", "KubeSchedulerConfiguration"},
      {"clientConnection", {{"kubeconfig", kubeconfig.string()}}},
      {"leaderElection", {{"leaderElect", false}}},
      {"profiles", profiles}}.dump(2);
  if (program == Program::kBerth) {
    arguments_ = {integration::BerthBinary(), "scheduler"};
  } else {
    arguments_ = {integration::ControlPlaneBinary("kube-scheduler")};
  }
  arguments_.insert(arguments_.end(), {"--config", config, "--secure-port", "0", "-v", "4"});
}

void Scheduler::Start() { process_ = std::make_unique<integration::Process>(arguments_, log_); }

}  // namespace berth::differential
