// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// Parses the commands and outputs in documents. Tests run the commands and compare the outputs.
namespace berth {

// TypedCommand is a line of a document that begins with "$ ", with its documented output.
struct TypedCommand {
  std::string line;
  std::vector<std::string> output;

  // Returns the output as a program prints it, with a line end after each line.
  std::string Text() const;
};

// Returns the command blocks of a Markdown file, in order. Blocks without a prompt are skipped.
// `heading` is a whole line such as "## On a cluster" and limits the result to that section.
std::vector<std::vector<TypedCommand>> CommandsOf(const std::string& markdown,
                                                  const std::string& heading = {});
// Returns the commands of all blocks in one list.
std::vector<TypedCommand> AllCommandsOf(const std::string& markdown);

}  // namespace berth
