// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "base/error.h"
#include "base/flags.h"

namespace berth::operator_ {

// Exit codes of every command, like kubectl's.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;

// Program is the environment of one run of a binary; tests pass their own streams. Output goes to
// `out`, everything else to `err`.
struct Program {
  std::string name;     // in usage: "berth" or "kubectl berth"
  std::string version;  // "berth 0.1.0"
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// Command is one command of a binary: its flags, its help, and its action. `run` returns the exit
// code; an error is printed to `err` as "error: <message>" and yields kExitFailure.
struct Command {
  CommandLine line;
  std::function<Result<int>()> run;
};

// Creates a command. Requires: `program` outlives the command.
using CommandMaker = Command (*)(Program& program);

// Each command of `berth` is one file with one such function; berth.cc lists them all. The commands
// that change the plugins of a profile share toggle.cc.
Command ConvertCommand(Program& program);
Command DisableCommand(Program& program);
Command EnableCommand(Program& program);
Command ExtenderCommand(Program& program);
Command KubeconfigCommand(Program& program);
Command OperatorCommand(Program& program);
Command PluginsCommand(Program& program);
Command RenderCommand(Program& program);
Command SchedulerCommand(Program& program);
Command ValidateCommand(Program& program);
Command VersionCommand(Program& program);
Command WeightCommand(Program& program);

}  // namespace berth::operator_
