// SPDX-License-Identifier: Apache-2.0
#include "operator/command_line.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <istream>
#include <ostream>
#include <vector>

#include "operator/commands/command.h"

namespace berth::operator_ {
namespace {

std::string NameOf(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename().string();
  return file.starts_with("kubectl-") ? "kubectl berth" : "berth";
}

void AddCommands(CLI::App& app, Program& program) {
  AddOperatorCommand(app, program);
  AddSchedulerCommand(app, program);
  AddRenderCommand(app, program);
  AddValidateCommand(app, program);
  AddPluginsCommand(app, program);
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
    const int code = Parse(app, arguments, program);
    return program.run && code == kExitSuccess ? Run(program) : code;
  } catch (const std::exception& error) {
    err << "error: " << error.what() << "\n";
    return kExitFailure;
  }
}

}  // namespace berth::operator_
