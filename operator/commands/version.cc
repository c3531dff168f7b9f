// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "operator/commands/command.h"

namespace berth::operator_ {

void AddVersionCommand(CLI::App& root, Program& program) {
  CLI::App* command = root.add_subcommand("version", "Print the version of this program");
  command->footer("Example:\n  " + program.name + " version");
  command->callback([&program] {
    program.run = [&program]() -> Result<int> {
      program.out << "berth " << BERTH_VERSION << "\n";
      return kExitSuccess;
    };
  });
}

}  // namespace berth::operator_
