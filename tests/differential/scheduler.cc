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
      log_(folder / (NameOf(program) + ".log")),
      has_gates_(program == Program::kKubeScheduler) {
  if (program == Program::kBerth) {
    arguments_ = {integration::BerthBinary(), "scheduler"};
  } else {
    arguments_ = {integration::ControlPlaneBinary("kube-scheduler")};
  }
  arguments_.insert(arguments_.end(), {"--config", config_, "--secure-port", "0", "-v", "4"});
}

void Scheduler::Configure(const Json& profiles, const Json& extenders) {
  serves_groups_ = extenders.empty();
  std::ofstream(config_) << Json{
      {"apiVersion", "kubescheduler.config.k8s.io/v1"},
      {"kind", "KubeSchedulerConfiguration"},
      {"clientConnection", {{"kubeconfig", kubeconfig_.string()}}},
      {"leaderElection", {{"leaderElect", false}}},
      {"extenders", extenders},
      {"profiles", profiles}}.dump(2);
}

void Scheduler::Start() {
  integration::Arguments arguments = arguments_;
  if (has_gates_ && serves_groups_) arguments.push_back(kFeatureGates);
  process_ = std::make_unique<integration::Process>(arguments, log_);
}

}  // namespace berth::differential
