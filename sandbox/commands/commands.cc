// SPDX-License-Identifier: Apache-2.0
#include "sandbox/commands/commands.h"

namespace berth::sandbox {

operator_::Binary SandboxBinary() {
  return {
      .name = "berth-sandbox",
      .help = "A cluster on this machine that is not there: to see Berth at work, and for tests.",
      .commands = {DemoCommand, ApiserverCommand}};
}

}  // namespace berth::sandbox
