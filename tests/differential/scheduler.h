// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/differential/scenario.h"
#include "tests/integration/harness/process.h"

namespace berth::differential {

// Scheduler is one of the two programs; scenarios start and stop it.
class Scheduler {
 public:
  enum class Program : uint8_t { kKubeScheduler, kBerth };

  // Its files in this folder are NAME.config.json and NAME.log.
  Scheduler(Program program, std::filesystem::path kubeconfig, const std::filesystem::path& folder);

  // Writes the configuration for the next start.
  void Configure(const Json& profiles, const Json& extenders);

  static std::string NameOf(Program program);

  // Feature gates of kube-scheduler and the API server: PodGroups and their topology are disabled
  // by default. A kube-scheduler with extenders runs without them: with GangScheduling each new pod
  // is an event that retries the pods that an extender rejected, the runner's canaries, too.
  static constexpr const char* kFeatureGates =
      "--feature-gates=GenericWorkload=true,TopologyAwareWorkloadScheduling=true";

  void Start();
  void Stop() { process_.reset(); }
  bool IsStarted() const { return process_ != nullptr; }
  // Returns the log since the last start.
  std::string Output() const { return process_ ? process_->Output() : ""; }

 private:
  const std::filesystem::path kubeconfig_, config_, log_;
  integration::Arguments arguments_;
  const bool has_gates_;
  bool serves_groups_ = true;
  std::unique_ptr<integration::Process> process_;
};

}  // namespace berth::differential
