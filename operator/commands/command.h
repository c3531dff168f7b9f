// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "base/error.h"
#include "base/flags.h"

namespace berth::operator_ {

// Exit codes of every command, as kubectl has them.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;

// Program is what one run of a binary works with. Tests bring their own streams. Output goes to
// `out`, everything else to `err`.
struct Program {
  std::string name;     // as usage shows it: "berth" or "kubectl berth"
  std::string version;  // "berth 0.1.0"
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// Command is one command of a binary: its flags and help, and what it does once they are read.
// `run` gives the exit code; an error is printed to `err` as "error: <message>" and gives
// kExitFailure.
struct Command {
  CommandLine line;
  std::function<Result<int>()> run;
};

// Makes a command. Requires: `program` outlives what it gives.
using CommandMaker = Command (*)(Program& program);

// Each command of `berth` is one file with one such function; berth.cc lists them all. Those that
// change the plugins of a profile are alike, and together in toggle.cc.
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
