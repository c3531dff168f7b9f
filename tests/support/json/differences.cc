// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json/differences.h"

#include <algorithm>

namespace berth::json {
namespace {

using Json = nlohmann::json;

// Formats a value for a person; long values are truncated.
std::string Shown(const Json* value) {
  constexpr size_t kLongest = 600;
  if (value == nullptr) return "nothing";
  std::string text = value->dump();
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

std::string Inside(std::string path, const std::string& step) {
  path += '.';
  path += step;
  return path;
}

void Compare(const Json* expected, const Json* found, const std::string& path,
             std::vector<std::string>& differences);

void CompareObjects(const Json& expected, const Json& found, const std::string& path,
                    std::vector<std::string>& differences) {
  for (const auto& [key, value] : expected.items()) {
    const auto other = found.find(key);
    Compare(&value, other == found.end() ? nullptr : &*other, Inside(path, key), differences);
  }
  for (const auto& [key, value] : found.items()) {
    if (!expected.contains(key)) Compare(nullptr, &value, Inside(path, key), differences);
  }
}

void CompareLists(const Json& expected, const Json& found, const std::string& path,
                  std::vector<std::string>& differences) {
  for (size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    Compare(i < expected.size() ? &expected[i] : nullptr, i < found.size() ? &found[i] : nullptr,
            Inside(path, std::to_string(i)), differences);
  }
}

void Compare(const Json* expected, const Json* found, const std::string& path,
             std::vector<std::string>& differences) {
  if (expected != nullptr && found != nullptr) {
    if (*expected == *found) return;
    if (expected->is_object() && found->is_object()) {
      return CompareObjects(*expected, *found, path, differences);
    }
    if (expected->is_array() && found->is_array()) {
      return CompareLists(*expected, *found, path, differences);
    }
  }
  differences.push_back(path + ": " + Shown(found) + ", expected " + Shown(expected));
}

}  // namespace

std::vector<std::string> Differences(const Json& expected, const Json& found,
                                     const std::string& path) {
  std::vector<std::string> differences;
  Compare(&expected, &found, path, differences);
  return differences;
}

}  // namespace berth::json
