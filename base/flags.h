// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace berth {

// Flag is one flag of a command, or a positional argument when its name has no dashes.
struct Flag {
  // Where the value goes. What is there before is the default, which help shows unless it is empty.
  // A bool takes no value; an optional<bool> takes one or none, and none means true.
  using Target = std::variant<bool*, std::optional<bool>*, int*, uint16_t*, uint64_t*, std::string*,
                              std::vector<std::string>*>;

  std::string name;  // "--nodes"; "-v,--v"; "--elect,!--no-elect": the second turns a bool off
  Target target;
  std::string help;
  std::string type = {};                                  // as help names the value: "FILE"
  std::vector<std::string> one_of = {};                   // the values allowed; empty: all
  std::optional<std::pair<int64_t, int64_t>> range = {};  // the least and the greatest number
  bool required = false;
  bool existing_file = false;          // the value must name one
  std::string environment = {};        // a variable that gives the value where the flag does not
  std::optional<char> separator = {};  // splits one value of a list into several
};

// CommandLine describes a program or one of its commands.
struct CommandLine {
  std::string name;          // as usage shows it
  std::string help;          // its first line stands for the command in the help of the program
  std::string version = {};  // the output of --version; empty: no such flag
  std::vector<Flag> flags = {};
  std::string footer = {};                 // below the flags: examples
  std::vector<CommandLine> commands = {};  // if there are any, the command line must name one
};

// What came of reading a command line: the place of the command in CommandLine::commands, if it has
// any; or that there is nothing left to do but to exit with a code, help or a mistake having been
// printed.
struct Reading {
  std::optional<int> exit_code;
  size_t command = 0;
};

// ReadCommandLine parses the arguments and stores the values of the flags in their targets. Help goes
// to `out`, with exit code 0; an error to `err`, as "error: ..." or with a hint at --help, with exit
// code 1. For a program with commands, `help` and `help COMMAND` are `--help` and `COMMAND --help`,
// and the error for an unknown command names the nearest one. `arguments[0]` is the program. The
// only file that includes CLI11, which takes 4 seconds to compile. Never throws.
Reading ReadCommandLine(const CommandLine& line, std::span<const std::string> arguments,
                        std::ostream& out, std::ostream& err);

// ReadFlags is ReadCommandLine for a `main` without commands, on standard output and error.
Reading ReadFlags(const CommandLine& line, int argc, char** argv);

}  // namespace berth
