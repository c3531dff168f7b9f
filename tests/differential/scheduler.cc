// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/scheduler.h"

#include <fstream>
#include <utility>

#include "tests/integration/harness/control_plane.h"

namespace berth::differential {

std::string Scheduler::NameOf(Program program) {
  return program == Program::kBerth ? "berth" : "kube-scheduler";
}

Scheduler::Scheduler(Program program, std::filesystem::path kubeconfig,
                     const std::filesystem::path& folder)
    : kubeconfig_(std::move(kubeconfig)),
      config_(folder / (NameOf(program) + ".config.json")),
      log_(folder / (NameOf(program) + ".log")) {
  if (program == Program::kBerth) {
    arguments_ = {integration::BerthBinary(), "scheduler"};
  } else {
    arguments_ = {integration::ControlPlaneBinary("kube-scheduler"), kFeatureGates};
  }
  arguments_.insert(arguments_.end(), {"--config", config_, "--secure-port", "0", "-v", "4"});
}

void Scheduler::Configure(const Json& profiles, const Json& extenders) const {
  std::ofstream(config_) << Json{
      {"apiVersion", "kubescheduler.config.k8s.io/v1"},
      {"kind", "KubeSchedulerConfiguration"},
      {"clientConnection", {{"kubeconfig", kubeconfig_.string()}}},
      {"leaderElection", {{"leaderElect", false}}},
      {"extenders", extenders},
      {"profiles", profiles}}.dump(2);
}

void Scheduler::Start() { process_ = std::make_unique<integration::Process>(arguments_, log_); }

}  // namespace berth::differential
