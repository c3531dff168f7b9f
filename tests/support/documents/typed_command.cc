// SPDX-License-Identifier: Apache-2.0
#include "tests/support/documents/typed_command.h"

#include <iterator>
#include <sstream>

namespace berth {

std::string TypedCommand::Text() const {
  std::string text;
  for (const std::string& each : output) text += each + "\n";
  return text;
}

std::vector<std::vector<TypedCommand>> CommandsOf(const std::string& markdown,
                                                  const std::string& heading) {
  std::vector<std::vector<TypedCommand>> blocks;
  bool in_section = heading.empty(), in_block = false;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (!heading.empty() && !in_block && line.starts_with("## ")) in_section = line == heading;
    if (!in_section) continue;
    if (line.starts_with("```")) {
      in_block = !in_block;
      if (in_block) blocks.emplace_back();
    } else if (in_block && line.starts_with("$ ")) {
      blocks.back().push_back({.line = line.substr(2), .output = {}});
    } else if (in_block && !blocks.back().empty()) {
      blocks.back().back().output.push_back(line);
    }
  }
  std::erase_if(blocks, [](const auto& block) { return block.empty(); });
  return blocks;
}

std::vector<TypedCommand> AllCommandsOf(const std::string& markdown) {
  std::vector<TypedCommand> all;
  for (auto& block : CommandsOf(markdown)) {
    all.insert(all.end(), std::make_move_iterator(block.begin()),
               std::make_move_iterator(block.end()));
  }
  return all;
}

}  // namespace berth
