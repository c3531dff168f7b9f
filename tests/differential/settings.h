// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json/type.h"
#include "tests/differential/scenario.h"

namespace berth::differential {

// Difference is a deliberate difference. It is accepted in the listed scenarios and must occur
// there; otherwise it states why no scenario can show it.
struct Difference {
  std::string id;
  std::string what, why;
  std::string where;                   // a regular expression for the line of the difference
  std::vector<std::string> scenarios;  // "area/name"
  std::string unseen;                  // why no scenario shows it

  static auto Fields() {
    return json::Object(json::Field("id", &Difference::id), json::Field("what", &Difference::what),
                        json::Field("why", &Difference::why),
                        json::Field("where", &Difference::where),
                        json::Field("scenarios", &Difference::scenarios),
                        json::Field("unseen", &Difference::unseen));
  }
};

// Settings is the file differences.yaml: all accepted differences between the two schedulers.
struct Settings {
  // Differences in these areas are printed, but are not a failure.
  std::vector<std::string> open_areas;
  std::vector<Difference> differences;

  static auto Fields() {
    return json::Object(json::Field("openAreas", &Settings::open_areas),
                        json::Field("differences", &Settings::differences));
  }

  bool IsOpen(const std::string& area) const;
};

// Reads the file and checks it against all scenarios. Errors (kConfig) name a missing, duplicate or
// unknown entry.
Result<Settings> ReadSettings(const std::filesystem::path& file,
                              const std::vector<Scenario>& scenarios);

// Returns the profiles of one configuration for these scenarios: the default profile, the canaries'
// profile, and the custom profile of each scenario that has one.
Json Profiles(const std::vector<Scenario>& scenarios);

}  // namespace berth::differential
