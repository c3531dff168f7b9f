// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/strings.h"

namespace berth {
namespace {

CLI::Option* AddTo(CLI::App& app, const Flag& flag) {
  return std::visit(
      [&](auto* target) -> CLI::Option* {
        using Value = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return app.add_flag(flag.name, *target, flag.help);
        } else if constexpr (std::is_same_v<Value, std::optional<bool>>) {
          return app.add_option(flag.name, *target, flag.help)->expected(0, 1)->default_str("true");
        } else {
          CLI::Option* option = app.add_option(flag.name, *target, flag.help);
          bool has_default = !flag.required;
          if constexpr (!std::is_arithmetic_v<Value>) has_default &= !target->empty();
          if (has_default) option->capture_default_str();
          return option;
        }
      },
      flag.target);
}

constexpr const char* kHelpCommand = "help";

// Lists each command in one line: its name and the first line of its help.
class CommandList final : public CLI::Formatter {
 public:
  explicit CommandList(const CommandLine& line) {
    size_t longest = 0;
    for (const CommandLine& command : line.commands) {
      longest = std::max(longest, command.name.size());
    }
    column_width(longest + 4);
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_subcommand(const CLI::App* command) const override {
    const std::string& help = command->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), help.substr(0, help.find('\n')),
                             get_column_width());
    return out.str();
  }
};

void Add(CLI::App& app, const CommandLine& line);

void AddCommands(CLI::App& app, const CommandLine& line) {
  for (const CommandLine& command : line.commands) {
    Add(*app.add_subcommand(command.name, command.help)->group("Commands"), command);
  }
  app.add_subcommand(kHelpCommand, "Print the help of a command.")->group("Commands");
  app.require_subcommand(1);
  app.formatter(std::make_shared<CommandList>(line));
}

void Add(CLI::App& app, const CommandLine& line) {
  if (!line.version.empty()) app.set_version_flag("--version", line.version, "Print the version");
  for (const Flag& flag : line.flags) {
    CLI::Option* option = AddTo(app, flag);
    if (!flag.type.empty()) option->type_name(flag.type);
    if (!flag.one_of.empty()) option->check(CLI::IsMember(flag.one_of));
    if (flag.range) option->check(CLI::Range(flag.range->first, flag.range->second));
    if (flag.required) option->required();
    if (flag.existing_file) option->check(CLI::ExistingFile);
    if (!flag.environment.empty()) option->envname(flag.environment);
    if (flag.separator) option->delimiter(*flag.separator);
  }
  if (!line.footer.empty()) app.footer(line.footer);
  if (!line.commands.empty()) AddCommands(app, line);
}

// Turns `help` and `help COMMAND` into `--help` and `COMMAND --help`.
std::vector<std::string> WithHelpAsFlag(const CommandLine& line,
                                        std::span<const std::string> arguments) {
  std::vector<std::string> result(arguments.begin(), arguments.end());
  if (line.commands.empty() || result.size() < 2 || result[1] != kHelpCommand) return result;
  result[1] = "--help";
  if (result.size() > 2) std::swap(result[1], result[2]);
  return result;
}

// Turns `--flag=` into `--flag` and an empty value: CLI11 would take the next argument as the value.
std::vector<std::string> WithEmptyValues(std::vector<std::string> arguments) {
  std::vector<std::string> result;
  for (std::string& argument : arguments) {
    const bool is_empty = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    if (is_empty) argument.pop_back();
    result.push_back(std::move(argument));
    if (is_empty) result.emplace_back();
  }
  return result;
}

// Returns the error for an unknown command; CLI11 would only report a missing one.
std::optional<std::string> UnknownCommand(const CommandLine& line,
                                          std::span<const std::string> arguments) {
  if (line.commands.empty() || arguments.size() < 2 || arguments[1].starts_with("-")) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const CommandLine& command : line.commands) {
    if (command.name == arguments[1]) return std::nullopt;
    names.push_back(command.name);
  }
  const auto nearest = NearestName(arguments[1], names);
  return "unknown command \"" + arguments[1] + "\"; " +
         (nearest ? "did you mean \"" + *nearest + "\"?" : "commands: " + Join(names, ", "));
}

Reading Parse(CLI::App& app, const CommandLine& line, std::span<const std::string> arguments,
              std::ostream& out, std::ostream& err) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  if (!reversed.empty()) reversed.pop_back();
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    // Help and version are not errors: CLI11 returns exit code 0 for them.
    return {.exit_code = app.exit(error, out, err) == 0 ? 0 : 1};
  }
  for (size_t i = 0; i < line.commands.size(); ++i) {
    if (app.got_subcommand(line.commands[i].name)) return {.exit_code = {}, .command = i};
  }
  return {};
}

}  // namespace

Reading ReadCommandLine(const CommandLine& line, std::span<const std::string> arguments,
                        std::ostream& out, std::ostream& err) {
  try {
    const std::vector<std::string> read = WithEmptyValues(WithHelpAsFlag(line, arguments));
    if (const auto unknown = UnknownCommand(line, read)) {
      err << "error: " << *unknown << "\n";
      return {.exit_code = 1};
    }
    CLI::App app(line.help, line.name);
    app.failure_message(CLI::FailureMessage::simple);
    Add(app, line);
    return Parse(app, line, read, out, err);
  } catch (const std::exception& error) {
    err << "error: " << error.what() << "\n";
    return {.exit_code = 1};
  }
}

Reading ReadFlags(const CommandLine& line, int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  return ReadCommandLine(line, arguments, std::cout, std::cerr);
}

}  // namespace berth
