// SPDX-License-Identifier: Apache-2.0
#include "scenario/load.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "scenario/parse.h"

namespace berth::scenario {

Result<Scenario> LoadFile(const std::string& path) {
  BERTH_TRY(const std::string text, ReadFile(path));
  return Parse(text, path);
}

std::vector<std::string> ListFiles(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".yaml") paths.push_back(entry->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace berth::scenario
