// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/nearest.h"
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

// Returns a validator with a message in the style of our other errors: value found, allowed values.
// `description` is shown in the help.
CLI::Validator Check(std::string description, std::string allowed,
                     std::function<bool(const std::string&)> is_allowed) {
  return CLI::Validator(
      [allowed = std::move(allowed), is_allowed = std::move(is_allowed)](const std::string& value) {
        return is_allowed(value) ? std::string() : "found \"" + value + "\", " + allowed;
      },
      std::move(description));
}

CLI::Validator OneOf(const std::vector<std::string>& words) {
  return Check(
      "{" + Join(words, ",") + "}", "allowed: " + Join(words, ", "),
      [words](const std::string& value) { return std::ranges::find(words, value) != words.end(); });
}

CLI::Validator ExistingFile() {
  return Check("FILE", "expected an existing file", [](const std::string& value) {
    std::error_code unknown;
    return std::filesystem::exists(value, unknown) &&
           !std::filesystem::is_directory(value, unknown);
  });
}

// Returns a validator for whole numbers from `low` to `high`.
template <class Number>
CLI::Validator NumberFrom(Number low, Number high, const std::string& description) {
  return Check(
      description,
      "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high),
      [low, high](const std::string& value) {
        Number number{};
        const char* end = value.data() + value.size();
        const auto read = std::from_chars(value.data(), end, number);
        return read.ec == std::errc() && read.ptr == end && number >= low && number <= high;
      });
}

// Adds the check that the flag's type and range need. CLI11's own messages lack the allowed values.
void AddTypeCheck(const Flag& flag, CLI::Option& option) {
  std::visit(
      [&](auto* target) {
        using Value = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<Value, std::optional<bool>>) {
          option.check(Check("", "allowed: true, false", [](const std::string& value) {
            return value == "true" || value == "false";
          }));
        } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
          using Limits = std::numeric_limits<Value>;
          if (!flag.range) return (void)option.check(NumberFrom(Limits::min(), Limits::max(), ""));
          const auto [low, high] = *flag.range;
          option.check(NumberFrom(
              low, high, "INT in [" + std::to_string(low) + " - " + std::to_string(high) + "]"));
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
    if (!flag.one_of.empty()) option->check(OneOf(flag.one_of));
    AddTypeCheck(flag, *option);
    if (flag.required) option->required();
    if (flag.existing_file) option->check(ExistingFile());
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
  if (result.size() > 2 && result[2] != kHelpCommand) std::swap(result[1], result[2]);
  return result;
}

// Turns `--flag=` into `--flag` and an empty value: CLI11 would take the next argument as the
// value.
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

std::vector<std::string> CommandNames(const CommandLine& line) {
  std::vector<std::string> names;
  for (const CommandLine& command : line.commands) names.push_back(command.name);
  return names;
}

// Returns the error for an unknown command; CLI11 would only report a missing one.
std::optional<std::string> UnknownCommand(const CommandLine& line,
                                          std::span<const std::string> arguments) {
  if (line.commands.empty() || arguments.size() < 2 || arguments[1].starts_with("-")) {
    return std::nullopt;
  }
  const std::vector<std::string> names = CommandNames(line);
  if (std::ranges::find(names, arguments[1]) != names.end()) return std::nullopt;
  return "unknown command \"" + arguments[1] + "\"" +
         NearestHint(NearestName(arguments[1], names), "; commands: " + Join(names, ", "));
}

// Returns "--v" of "-v,--v".
std::string LastNameOf(const Flag& flag) { return std::string(Split(flag.name, ',').back()); }

// Returns the names of a flag without dashes: "v" and "v" of "-v,--v".
std::vector<std::string> NamesOf(const Flag& flag) {
  std::vector<std::string> names;
  for (std::string_view name : Split(flag.name, ',')) {
    name.remove_prefix(std::min(name.find_first_not_of("!-"), name.size()));
    names.emplace_back(name);
  }
  return names;
}

// Returns the error for the arguments that no flag takes, in the order typed. The values of unknown
// flags are not reported.
std::string Unexpected(const CommandLine& line, const std::vector<std::string>& arguments) {
  std::vector<std::string> unknown;
  std::vector<std::string> others;
  std::vector<std::string> known = {"help"};
  for (const Flag& flag : line.flags) {
    if (!flag.name.starts_with("-")) continue;
    for (std::string& name : NamesOf(flag)) known.push_back(std::move(name));
  }
  for (const std::string& argument : arguments) {
    const size_t dashes = std::min(argument.find_first_not_of('-'), argument.size());
    if (dashes == 0 || dashes == argument.size() || !IsLetter(argument[dashes])) {
      others.push_back("\"" + argument + "\"");
      continue;
    }
    const std::string flag = argument.substr(0, argument.find('='));
    unknown.push_back("unknown flag \"" + flag + "\"");
    if (dashes != 2) continue;  // one letter is near to every other
    auto nearest = NearestName(flag.substr(dashes), known);
    if (nearest) nearest->insert(0, "--");
    unknown.back() += NearestHint(nearest);
  }
  if (!unknown.empty()) return Join(unknown, "; ");
  return (others.size() == 1 ? "unexpected argument " : "unexpected arguments ") +
         Join(others, ", ");
}

std::string Missing(const CommandLine& line, const CLI::App& app) {
  if (!line.commands.empty()) {
    return "missing command; commands: " + Join(CommandNames(line), ", ");
  }
  std::vector<std::string> missing;
  for (const Flag& flag : line.flags) {
    const std::string name = LastNameOf(flag);
    if (!flag.required || app.get_option(name)->count() > 0) continue;
    missing.push_back(flag.type.empty() ? name : name + " " + flag.type);
  }
  return "missing " + Join(missing, ", ");
}

// Returns the error in the style of our own: CLI11's sentences name neither the value found nor the
// allowed ones. Of several errors the arguments that no flag takes come first.
std::string Explain(const CommandLine& line, const CLI::App& app, const CLI::ParseError& error) {
  const auto* const missing = dynamic_cast<const CLI::RequiredError*>(&error);
  const auto* const extra = dynamic_cast<const CLI::ExtrasError*>(&error);
  if (missing != nullptr || extra != nullptr) {
    const std::vector<std::string> unexpected = app.remaining();
    return unexpected.empty() ? Missing(line, app) : Unexpected(line, unexpected);
  }
  std::string text = error.what();
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return text;
  for (const Flag& flag : line.flags) {
    const std::string name = app.get_option(LastNameOf(flag))->get_name();
    if (text.starts_with(name + ": ")) {
      return name + ": found no value, expected " + (flag.type.empty() ? "one" : flag.type);
    }
    // Other values are checked before their conversion.
    const std::string unconverted = "Could not convert: " + name + " = ";
    if (text.starts_with(unconverted)) {
      return name + ": found \"" + text.substr(unconverted.size()) + "\", allowed: true, false";
    }
  }
  return text;
}

// Prints the error of a command line, with the command whose help has the fix.
Reading Reject(const std::string& command, const std::string& message, std::ostream& err) {
  err << "error: " << command << ": " << message << "; see `" << command << " --help`\n";
  return {.exit_code = 1};
}

Reading Parse(CLI::App& app, const CommandLine& line, std::span<const std::string> arguments,
              std::ostream& out, std::ostream& err) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  if (!reversed.empty()) reversed.pop_back();
  std::optional<size_t> chosen;
  const auto choose = [&] {
    for (size_t i = 0; i < line.commands.size() && !chosen; ++i) {
      if (app.got_subcommand(line.commands[i].name)) chosen = i;
    }
  };
  try {
    app.parse(std::move(reversed));
    choose();
  } catch (const CLI::ParseError& error) {
    // Help and version are not errors: CLI11 returns exit code 0 for them.
    if (error.get_exit_code() == 0) return {.exit_code = app.exit(error, out, err)};
    choose();
    if (!chosen || app.remaining_size() > 0)
      return Reject(line.name, Explain(line, app, error), err);
    const CommandLine& command = line.commands[*chosen];
    return Reject(line.name + " " + command.name,
                  Explain(command, *app.get_subcommand(command.name), error), err);
  }
  return {.exit_code = {}, .command = chosen.value_or(0)};
}

}  // namespace

Reading ReadCommandLine(const CommandLine& line, std::span<const std::string> arguments,
                        std::ostream& out, std::ostream& err) {
  try {
    const std::vector<std::string> read = WithEmptyValues(WithHelpAsFlag(line, arguments));
    if (const auto unknown = UnknownCommand(line, read)) {
      return Reject(line.name, *unknown, err);
    }
    CLI::App app(line.help, line.name);
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
