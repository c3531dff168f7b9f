// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "operator/commands/command.h"

namespace berth::operator_ {

// Binary is a program with commands.
struct Binary {
  std::string name;  // "berth"; called as kubectl-berth, usage reads "kubectl berth"
  std::string help;
  std::vector<CommandMaker> commands;
};

// Returns the product's program: the operator, the scheduler and the tools for profiles.
Binary BerthBinary();

// Runs the command in the arguments and returns the exit code. `arguments[0]` is the path of the
// program. Never throws.
int RunCommandLine(const Binary& binary, std::span<const std::string> arguments, std::istream& in,
                   std::ostream& out, std::ostream& err);

}  // namespace berth::operator_
