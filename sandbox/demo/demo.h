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
  std::string profile;  // file of a further SchedulerProfile; empty: none
};

// RunDemo sets a cluster up on this machine, installs Berth into it, lets pods arrive and tells
// what happens to `program.out`. Errors: what did not come about in time, and why.
Result<void> RunDemo(const DemoOptions& options, operator_::Program& program);

}  // namespace berth::sandbox
