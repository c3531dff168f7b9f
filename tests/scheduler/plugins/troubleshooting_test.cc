// SPDX-License-Identifier: Apache-2.0
// Checks that the messages in docs/troubleshooting.md exist in the sources of the plugins.
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/strings.h"
#include "scheduler/plugins/registry.h"

namespace berth::scheduler {
namespace {

// Returns the text of all scheduler sources, with adjacent string literals joined.
std::string Literals() {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scheduler")) {
    if (entry.path().extension() == ".cc") text += ReadFile(entry.path().string()).value();
  }
  std::string joined;
  bool is_between = false;  // in white space after a quotation mark
  for (const char c : text) {
    if (is_between && c == '"') {
      joined.erase(joined.find_last_of('"'));
      is_between = false;
      continue;
    }
    is_between = c == '"' || (is_between && (c == ' ' || c == '\n'));
    joined += c;
  }
  return joined;
}

TEST(Troubleshooting, PageListsExistingMessages) {
  const std::string sources = Literals();
  const Registry registry = MakeRegistry();
  const std::string page = ReadFile("docs/troubleshooting.md").value();
  std::set<std::string> plugins;
  size_t messages = 0;
  for (const std::string_view line : Split(page, '\n')) {
    if (!line.starts_with("| `")) continue;
    const auto cells = Split(line, '|');
    ASSERT_EQ(cells.size(), 5u) << line;
    const std::string plugin(cells[2].substr(1, cells[2].size() - 2));
    if (plugin != "none") {
      EXPECT_NE(registry.Find(plugin), nullptr) << plugin;
    }
    plugins.insert(plugin);
    const auto parts = Split(cells[1], '`');
    for (size_t i = 1; i < parts.size(); i += 2, ++messages) {
      EXPECT_NE(sources.find(parts[i]), std::string::npos) << parts[i];
    }
  }
  EXPECT_GE(plugins.size(), 11u);
  EXPECT_GE(messages, 17u);
}

}  // namespace
}  // namespace berth::scheduler
