// SPDX-License-Identifier: Apache-2.0
#include "sandbox/commands/commands.h"

namespace berth::sandbox {

operator_::Binary SandboxBinary() {
  return {.name = "berth-sandbox",
          .help = "Simulate a Kubernetes cluster on this machine, for demos and tests.",
          .commands = {DemoCommand, ApiserverCommand}};
}

}  // namespace berth::sandbox
