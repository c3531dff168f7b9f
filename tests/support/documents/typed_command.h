// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// Documents whose commands are typed by a test, and their output compared with what is shown.
namespace berth {

// TypedCommand is a line of a document that begins with "$ ", and what the document says it prints.
struct TypedCommand {
  std::string line;
  std::vector<std::string> output;

  // Text is the output as a program prints it: each line ends.
  std::string Text() const;
};

// CommandsOf gives the blocks of commands that a Markdown file shows, in order; blocks without a
// prompt are left out. `heading` is a whole line, "## On a cluster", and limits it to that section.
std::vector<std::vector<TypedCommand>> CommandsOf(const std::string& markdown,
                                                  const std::string& heading = {});
// AllCommandsOf gives those of all blocks in one list.
std::vector<TypedCommand> AllCommandsOf(const std::string& markdown);

}  // namespace berth
