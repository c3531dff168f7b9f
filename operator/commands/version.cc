// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "operator/commands/command.h"

namespace berth::operator_ {

Command VersionCommand(Program& program) {
  return {.line = {.name = "version",
                   .help = "Print the version.",
                   .footer = "Example:\n  " + program.name + " version"},
          .run = [&program]() -> Result<int> {
            program.out << program.version << "\n";
            return kExitSuccess;
          }};
}

}  // namespace berth::operator_
