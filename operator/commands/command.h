// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace berth::operator_ {

// Exit codes of every command, as kubectl has them.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;

// Program is what one run of the binary works with. Tests bring their own streams.
//
// `run` is filled by the command that the arguments name, in CLI11's callback, and called after the
// command line was found right. Its value is the exit code; an error is printed to `err` as
// "error: <message>" and gives kExitFailure. Output goes to `out`, everything else to `err`.
struct Program {
  std::string name;  // as usage shows it: "berth" or "kubectl berth"
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  std::function<Result<int>()> run;
};

// Each command is one pair of files with one such function, which adds its subcommand, flags and
// help to `root`. command_line.cc lists them all.
void AddDemoCommand(CLI::App& root, Program& program);
void AddApiserverCommand(CLI::App& root, Program& program);
void AddOperatorCommand(CLI::App& root, Program& program);
void AddPluginsCommand(CLI::App& root, Program& program);
void AddRenderCommand(CLI::App& root, Program& program);
void AddSchedulerCommand(CLI::App& root, Program& program);
void AddValidateCommand(CLI::App& root, Program& program);
void AddVersionCommand(CLI::App& root, Program& program);

}  // namespace berth::operator_
