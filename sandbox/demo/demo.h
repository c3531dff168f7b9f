// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"
#include "operator/commands/command.h"

namespace berth::sandbox {

struct DemoOptions {
  std::string kubeconfig;  // of an API server; empty: an in-memory one is started
  bool keep = false;       // stay until Ctrl-C
  int nodes = 5;
  int pods = 6;
  std::string profile;  // file of an additional SchedulerProfile; empty: none
};

// Starts a cluster on this machine, installs Berth, creates pods and prints each step to
// `program.out`. Errors name the step that timed out and the reason.
Result<void> RunDemo(const DemoOptions& options, operator_::Program& program);

}  // namespace berth::sandbox
