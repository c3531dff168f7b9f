// SPDX-License-Identifier: Apache-2.0
#include "operator/command_line.h"

#include <exception>
#include <filesystem>
#include <ostream>

namespace berth::operator_ {
namespace {

std::string NameOf(const Binary& binary, std::span<const std::string> arguments) {
  if (arguments.empty()) return binary.name;
  const std::string file = std::filesystem::path(arguments[0]).filename().string();
  return file.starts_with("kubectl-") ? "kubectl " + file.substr(sizeof "kubectl-" - 1)
                                      : binary.name;
}

int Run(const Command& command, std::ostream& err) {
  const Result<int> code = command.run();
  if (code) return *code;
  err << "error: " << code.error().message() << "\n";
  return kExitFailure;
}

}  // namespace

int RunCommandLine(const Binary& binary, std::span<const std::string> arguments, std::istream& in,
                   std::ostream& out, std::ostream& err) {
  try {
    Program program{.name = NameOf(binary, arguments),
                    .version = binary.name + " " + BERTH_VERSION,
                    .in = in,
                    .out = out,
                    .err = err};
    CommandLine line{.name = program.name, .help = binary.help, .version = program.version};
    line.footer = "`" + program.name + " help COMMAND` shows the flags of a command and examples.";
    std::vector<Command> commands;
    for (const CommandMaker make : binary.commands) {
      commands.push_back(make(program));
      line.commands.push_back(commands.back().line);
    }
    const Reading reading = ReadCommandLine(line, arguments, out, err);
    return reading.exit_code ? *reading.exit_code : Run(commands[reading.command], err);
  } catch (const std::exception& error) {
    err << "error: " << error.what() << "\n";
    return kExitFailure;
  }
}

}  // namespace berth::operator_
