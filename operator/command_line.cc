// SPDX-License-Identifier: Apache-2.0
#include "operator/command_line.h"

#include <exception>
#include <filesystem>
#include <istream>
#include <optional>
#include <ostream>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/strings.h"
#include "operator/commands/command.h"

namespace berth::operator_ {
namespace {

std::string NameOf(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename().string();
  return file.starts_with("kubectl-") ? "kubectl berth" : "berth";
}

void AddCommands(CLI::App& app, Program& program) {
  AddApiserverCommand(app, program);
  AddOperatorCommand(app, program);
  AddSchedulerCommand(app, program);
  AddRenderCommand(app, program);
  AddValidateCommand(app, program);
  AddPluginsCommand(app, program);
  AddDemoCommand(app, program);
  AddVersionCommand(app, program);
}

// Parse fills program.run. Help is output, a mistake is not: CLI11 tells them apart by exit code.
int Parse(CLI::App& app, std::span<const std::string> arguments, Program& program) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  if (!reversed.empty()) reversed.pop_back();
  try {
    app.parse(std::move(reversed));
    return kExitSuccess;
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, program.out, program.err);
    return code == 0 ? kExitSuccess : kExitFailure;
  }
}

// CLI11 would only say that a command is missing.
std::optional<std::string> UnknownCommand(const CLI::App& app,
                                          std::span<const std::string> arguments) {
  if (arguments.size() < 2 || arguments[1].starts_with("-")) return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == arguments[1]) return std::nullopt;
    names.push_back(command->get_name());
  }
  const auto nearest = NearestName(arguments[1], names);
  return "unknown command \"" + arguments[1] + "\"; " +
         (nearest ? "did you mean \"" + *nearest + "\"?" : "commands: " + Join(names, ", "));
}

int Run(const Program& program) {
  const Result<int> code = program.run();
  if (code) return *code;
  program.err << "error: " << code.error().message() << "\n";
  return kExitFailure;
}

}  // namespace

int RunCommandLine(std::span<const std::string> arguments, std::istream& in, std::ostream& out,
                   std::ostream& err) {
  Program program{.name = NameOf(arguments.empty() ? "berth" : arguments[0]),
                  .in = in,
                  .out = out,
                  .err = err,
                  .run = {}};
  try {
    CLI::App app("Schedulers as a Kubernetes resource: apply a SchedulerProfile, get a scheduler.",
                 program.name);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::simple);
    app.footer("`" + program.name + " COMMAND --help` shows the flags of a command and examples.");
    AddCommands(app, program);
    if (const auto unknown = UnknownCommand(app, arguments)) {
      err << "error: " << *unknown << "\n";
      return kExitFailure;
    }
    const int code = Parse(app, arguments, program);
    return program.run && code == kExitSuccess ? Run(program) : code;
  } catch (const std::exception& error) {
    err << "error: " << error.what() << "\n";
    return kExitFailure;
  }
}

}  // namespace berth::operator_
