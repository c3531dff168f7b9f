// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

// Values holds the targets of a program with a flag of each type.
struct Values {
  bool all = false;
  std::optional<bool> elect;
  int weight = 0;
  uint16_t port = 80;
  std::string color;
  std::string file;
  std::vector<std::string> names;
};

struct Outcome {
  std::optional<int> exit_code;
  std::string err;
};

Outcome Read(std::vector<std::string> arguments, Values& values) {
  CommandLine paint{.name = "paint", .help = "Paint."};
  paint.flags = {
      {.name = "FILE", .target = &values.file, .help = "File", .required = true},
      {.name = "-a,--all", .target = &values.all, .help = "All"},
      {.name = "--elect", .target = &values.elect, .help = "Elect"},
      {.name = "--weight", .target = &values.weight, .help = "Weight", .range = {{1, 9}}},
      {.name = "--port", .target = &values.port, .help = "Port"},
      {.name = "--color", .target = &values.color, .help = "Color", .one_of = {"red", "blue"}},
      {.name = "-n,--names",
       .target = &values.names,
       .help = "Names",
       .type = "NAME",
       .required = true}};
  const CommandLine program{.name = "tool", .help = "Tool.", .commands = {paint}};
  arguments.insert(arguments.begin(), "/bin/tool");
  std::ostringstream out;
  std::ostringstream err;
  const Reading reading = ReadCommandLine(program, arguments, out, err);
  return {reading.exit_code, err.str()};
}

std::string ErrorOf(std::vector<std::string> arguments) {
  Values values;
  const Outcome outcome = Read(std::move(arguments), values);
  EXPECT_EQ(outcome.exit_code, 1);
  return outcome.err;
}

// Returns the error of the command with its required arguments and these.
std::string ErrorOfPaint(std::vector<std::string> more) {
  more.insert(more.begin(), {"paint", "f", "-n", "x"});
  const std::string error = ErrorOf(std::move(more));
  const std::string begin = "error: tool paint: ";
  const std::string end = "; see `tool paint --help`\n";
  EXPECT_TRUE(error.starts_with(begin) && error.ends_with(end)) << error;
  return error.substr(begin.size(), error.size() - begin.size() - end.size());
}

TEST(Flags, StoresValuesOfAllTypes) {
  Values values;
  const Outcome outcome = Read({"paint", "f", "-n", "x", "--names=y", "--all", "--elect=false",
                                "--weight", "9", "--port=65535", "--color", "red"},
                               values);
  EXPECT_EQ(outcome.exit_code, std::nullopt) << outcome.err;
  EXPECT_EQ(values.file, "f");
  EXPECT_EQ(values.names, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(values.all);
  EXPECT_EQ(values.elect, false);
  EXPECT_EQ(values.weight, 9);
  EXPECT_EQ(values.port, 65535);
  EXPECT_EQ(values.color, "red");
}

TEST(Flags, ErrorsNameFlagValueFoundAndAllowedValues) {
  EXPECT_EQ(ErrorOfPaint({"--weight=0"}),
            "--weight: found \"0\", expected a whole number from 1 to 9");
  EXPECT_EQ(ErrorOfPaint({"--weight=2x"}),
            "--weight: found \"2x\", expected a whole number from 1 to 9");
  EXPECT_EQ(ErrorOfPaint({"--port=65536"}),
            "--port: found \"65536\", expected a whole number from 0 to 65535");
  EXPECT_EQ(ErrorOfPaint({"--color=green"}), "--color: found \"green\", allowed: red, blue");
  EXPECT_EQ(ErrorOfPaint({"--elect=maybe"}), "--elect: found \"maybe\", allowed: true, false");
  EXPECT_EQ(ErrorOfPaint({"--all=maybe"}), "--all: found \"maybe\", allowed: true, false");
  EXPECT_EQ(ErrorOfPaint({"--names"}), "--names: found no value, expected NAME");
}

TEST(Flags, UnknownFlagsNameTheNearestAndHideNoOther) {
  EXPECT_EQ(ErrorOfPaint({"--colour", "red", "--zzz=1", "-z"}),
            "unknown flag \"--colour\"; nearest: --color; unknown flag \"--zzz\"; unknown flag "
            "\"-z\"");
  EXPECT_EQ(ErrorOf({"paint", "--colour"}),
            "error: tool paint: unknown flag \"--colour\"; nearest: --color; see `tool paint "
            "--help`\n")
      << "before missing arguments";
  EXPECT_EQ(ErrorOf({"--zzz", "paint"}),
            "error: tool: unknown flag \"--zzz\"; see `tool --help`\n");
}

TEST(Flags, NamesUnexpectedArgumentsInTheOrderTyped) {
  EXPECT_EQ(ErrorOf({"paint", "f", "second", "third"}),
            "error: tool paint: unexpected arguments \"second\", \"third\"; see `tool paint "
            "--help`\n");
  EXPECT_EQ(ErrorOf({"paint", "f", "-a=x"}),
            "error: tool paint: unexpected argument \"-=x\"; see `tool paint --help`\n");
}

TEST(Flags, NamesAllMissingArguments) {
  EXPECT_EQ(ErrorOf({"paint"}),
            "error: tool paint: missing FILE, --names NAME; see `tool paint --help`\n");
  EXPECT_EQ(ErrorOf({}), "error: tool: missing command; commands: paint; see `tool --help`\n");
  EXPECT_EQ(ErrorOf({"pain"}),
            "error: tool: unknown command \"pain\"; nearest: paint; see `tool --help`\n");
}

TEST(Flags, HelpOfHelpIsNoError) {
  Values values;
  EXPECT_EQ(Read({"help", "help"}, values).exit_code, 0);
}

}  // namespace
}  // namespace berth
