// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace berth::e2e {

// TypedCommand is a line of a document that begins with "$ ", and what the document says it prints.
struct TypedCommand {
  std::string line;
  std::vector<std::string> output;
};

// CommandsOf gives the blocks of commands that a section of a Markdown file shows, in order; blocks
// without a prompt are left out. `heading` is the whole line: "## On a cluster".
std::vector<std::vector<TypedCommand>> CommandsOf(const std::string& markdown,
                                                  const std::string& heading);

// Disagreement compares what was printed with what the document shows, line by line, and gives the
// first difference; empty: none. A shown line "..." stands for any number of lines. Blanks in a row
// count as one, and what differs from run to run (ages, addresses, suffixes of pods' names) counts as
// equal.
std::string Disagreement(const std::vector<std::string>& shown, const std::string& printed);

}  // namespace berth::e2e
