// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/typed_document.h"

#include <sstream>

#include <re2/re2.h>

namespace berth::e2e {
namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Lasting(std::string line) {
  static constexpr std::pair<const char*, const char*> kPassing[] = {
      {R"(\s+)", " "},
      {R"( $)", ""},
      {R"(-[a-z0-9]{8,10}-[a-z0-9]{5}\b)", "-POD"},
      {R"(\b\d+(\.\d+){3}\b)", "ADDRESS"},
      {R"(\b(\d+d)?(\d+h)?(\d+m)?(\d+s)\b|\b\d+[dhm]\b)", "AGE"},
      {R"(\b[0-9a-f]{16}\b)", "HASH"},
  };
  for (const auto& [pattern, stand_in] : kPassing) RE2::GlobalReplace(&line, pattern, stand_in);
  return line;
}

}  // namespace

std::vector<std::vector<TypedCommand>> CommandsOf(const std::string& markdown,
                                                  const std::string& heading) {
  std::vector<std::vector<TypedCommand>> blocks;
  bool in_section = false, in_block = false;
  for (const std::string& line : LinesOf(markdown)) {
    if (!in_block && line.starts_with("## ")) in_section = line == heading;
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

std::string Disagreement(const std::vector<std::string>& shown, const std::string& printed) {
  const std::vector<std::string> lines = LinesOf(printed);
  size_t at = 0;
  bool skips = false;
  for (const std::string& expected : shown) {
    if (expected == "...") {
      skips = true;
      continue;
    }
    const size_t from = at;
    while (skips && at < lines.size() && Lasting(lines[at]) != Lasting(expected)) ++at;
    if (at >= lines.size()) return "not printed: " + expected;
    if (Lasting(lines[at]) != Lasting(expected)) {
      return "shown:   " + expected + "\nprinted: " + lines[from];
    }
    ++at;
    skips = false;
  }
  return at == lines.size() || skips ? "" : "printed, but not shown: " + lines[at];
}

}  // namespace berth::e2e
