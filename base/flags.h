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

// Flag is one flag of a command, or a positional argument if its name has no dashes.
struct Flag {
  // Where the value is stored. The initial value is the default; help shows it unless it is empty.
  // A bool takes no value. An optional<bool> takes zero or one value; zero means true.
  using Target = std::variant<bool*, std::optional<bool>*, int*, uint16_t*, uint64_t*, std::string*,
                              std::vector<std::string>*>;

  std::string name;  // "--nodes"; "-v,--v"; "--elect,!--no-elect": the second form clears a bool
  Target target;
  std::string help;
  std::string type = {};                                  // placeholder in help: "FILE"
  std::vector<std::string> one_of = {};                   // allowed values; empty: any
  std::optional<std::pair<int64_t, int64_t>> range = {};  // inclusive minimum and maximum
  bool required = false;
  bool existing_file = false;          // the value must name an existing file
  std::string environment = {};        // environment variable used if the flag is absent
  std::optional<char> separator = {};  // splits one value into several list entries
};

// CommandLine describes a program or one of its commands.
struct CommandLine {
  std::string name;          // as shown in usage
  std::string help;          // its first line is the summary in the program's help
  std::string version = {};  // output of --version; empty: no such flag
  std::vector<Flag> flags = {};
  std::string footer = {};                 // printed below the flags: examples
  std::vector<CommandLine> commands = {};  // if not empty, the command line must name one
};

// Reading is the result of parsing a command line. Holds either the index of the command in
// CommandLine::commands, or an exit code if help or an error was printed and the program must exit.
struct Reading {
  std::optional<int> exit_code;
  size_t command = 0;
};

// Parses the arguments and stores the values in the flags' targets; `--flag=` has an empty value.
// Help goes to `out` with exit code 0. Errors go to `err` with exit code 1, as "error: PROGRAM
// COMMAND: ...; see `PROGRAM COMMAND --help`", with the flag, the value found and the allowed
// values, or the nearest known name. For a program with commands, `help` and `help COMMAND` equal
// `--help` and `COMMAND --help`. `arguments[0]` is the program name. Only flags.cc includes CLI11,
// which takes 4 seconds to compile. Never throws.
Reading ReadCommandLine(const CommandLine& line, std::span<const std::string> arguments,
                        std::ostream& out, std::ostream& err);

// ReadCommandLine for a `main` without commands, on standard output and error.
Reading ReadFlags(const CommandLine& line, int argc, char** argv);

}  // namespace berth
