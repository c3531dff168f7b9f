// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "tests/differential/extenders.h"
#include "tests/differential/play.h"
#include "tests/integration/harness/real_control_plane.h"

namespace berth::differential {

// Lane is a control plane with one of the two schedulers that plays scenarios one after the other.
// One scheduler process serves all scenarios without extenders; each scenario with extenders has
// its own. One thread opens, uses and destroys a lane; the processes do not outlive that thread.
class Lane {
 public:
  // Throws if the control plane does not start.
  Lane(Scheduler::Program program, Json profiles, const std::filesystem::path& folder);

  // Starts the scheduler and waits until it places pods. Errors contain its log.
  Result<void> Open();

  // Plays a scenario and writes the transcript next to the logs: AREA/NAME.PROGRAM.yaml.
  Result<Json> Play(const Scenario& scenario);

 private:
  // Starts a process for this scenario, unless the current one fits.
  Result<void> StartFor(const Scenario& scenario);

  const std::string name_;
  const Json profiles_;  // for the scenarios without extenders
  const std::filesystem::path folder_;
  integration::RealControlPlane control_plane_;
  Api api_;
  Canary canary_;
  Extenders extenders_;
  bool is_shared_ = true;  // whether the process serves the scenarios without extenders
  Scheduler scheduler_;
};

}  // namespace berth::differential
