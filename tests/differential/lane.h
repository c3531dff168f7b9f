// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "tests/differential/extenders.h"
#include "tests/differential/play.h"
#include "tests/integration/harness/real_control_plane.h"

namespace berth::differential {

// Lane is a control plane with one of the two schedulers, on which scenarios are played one after
// the other. One process of it serves all that have no extenders, each of the others has its own.
// It is opened, used and destroyed by one thread, which its processes do not outlive.
class Lane {
 public:
  // Throws when the control plane does not start.
  Lane(Scheduler::Program program, Json profiles, const std::filesystem::path& folder);

  // Open starts the scheduler and waits until it places pods. Errors have its log.
  Result<void> Open();

  // Play plays one, and writes the transcript beside the logs: AREA/NAME.PROGRAM.yaml.
  Result<Json> Play(const Scenario& scenario);

 private:
  // StartFor begins a process for this scenario, unless it can have the one that is there.
  Result<void> StartFor(const Scenario& scenario);

  const std::string name_;
  const Json profiles_;  // of the scenarios without extenders
  const std::filesystem::path folder_;
  integration::RealControlPlane control_plane_;
  Api api_;
  Canary canary_;
  Extenders extenders_;
  bool is_shared_ = true;  // whether the process is that of the scenarios without extenders
  Scheduler scheduler_;
};

}  // namespace berth::differential
