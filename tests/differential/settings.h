// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json/type.h"
#include "tests/differential/scenario.h"

namespace berth::differential {

// Difference is one that is deliberate. It is accepted where a scenario shows it, and has to show
// there; or it says why none can.
struct Difference {
  std::string id;
  std::string what, why;
  std::string where;                   // a regular expression that the line of the difference has
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

// Settings is the file differences.yaml: all in which the two schedulers are not asked to be equal.
struct Settings {
  // What differs in these areas is shown, and is no failure.
  std::vector<std::string> open_areas;
  std::vector<Difference> differences;

  static auto Fields() {
    return json::Object(json::Field("openAreas", &Settings::open_areas),
                        json::Field("differences", &Settings::differences));
  }

  bool IsOpen(const std::string& area) const;
};

// ReadSettings reads the file and checks it against all scenarios. Errors (kConfig) name what is
// missing, what is there twice, and what is not there at all.
Result<Settings> ReadSettings(const std::filesystem::path& file,
                              const std::vector<Scenario>& scenarios);

// Profiles are those of one configuration for these scenarios: the default one, the one of the
// canaries, and one for each scenario that has its own.
Json Profiles(const std::vector<Scenario>& scenarios);

}  // namespace berth::differential
