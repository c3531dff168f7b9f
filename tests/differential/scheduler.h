// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/differential/scenario.h"
#include "tests/integration/harness/process.h"

namespace berth::differential {

// Scheduler is one of the two programs, started and ended as often as scenarios want.
class Scheduler {
 public:
  enum class Program : uint8_t { kKubeScheduler, kBerth };

  // Its files are in this folder: NAME.config.json and NAME.log.
  Scheduler(Program program, std::filesystem::path kubeconfig, const std::filesystem::path& folder);

  // Configure writes the configuration with which it is started from now on.
  void Configure(const Json& profiles, const Json& extenders) const;

  static std::string NameOf(Program program);

  void Start();
  void Stop() { process_.reset(); }
  bool IsStarted() const { return process_ != nullptr; }
  // Output is what it said since it was started.
  std::string Output() const { return process_ ? process_->Output() : ""; }

 private:
  const std::filesystem::path kubeconfig_, config_, log_;
  integration::Arguments arguments_;
  std::unique_ptr<integration::Process> process_;
};

}  // namespace berth::differential
