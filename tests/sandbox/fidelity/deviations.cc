// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/deviations.h"

#include <vector>

#include "base/strings.h"

namespace berth::fidelity {
namespace {

// Returns the cells of a table's row; empty for any other line.
std::vector<std::string_view> CellsOf(std::string_view line) {
  line = TrimSpace(line);
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return {};
  std::vector<std::string_view> cells = Split(line.substr(1, line.size() - 2), '|');
  for (std::string_view& cell : cells) cell = TrimSpace(cell);
  return cells;
}

bool IsQuoted(std::string_view cell) {
  return cell.size() > 2 && cell.front() == '`' && cell.back() == '`';
}

}  // namespace

Result<Deviations> ParseDeviations(std::string_view markdown) {
  Deviations deviations;
  bool of_cases = false;
  for (const std::string_view line : Split(markdown, '\n')) {
    const std::vector<std::string_view> cells = CellsOf(line);
    if (cells.size() < 2) {
      of_cases = false;
    } else if (cells[0] == "case") {
      of_cases = true;
    } else if (of_cases && IsQuoted(cells[0])) {
      const std::string name(cells[0].substr(1, cells[0].size() - 2));
      if (!deviations.emplace(name, cells[1]).second) {
        return ConfigError("the case " + name + " is listed twice");
      }
    }
  }
  return deviations;
}

}  // namespace berth::fidelity
