// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/settings.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/regex.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "tests/differential/canary.h"

namespace berth::differential {
namespace {

Result<void> CheckScenarios(const Difference& difference, const std::vector<Scenario>& scenarios) {
  std::vector<std::string> titles;
  for (const Scenario& scenario : scenarios) titles.push_back(scenario.title());
  for (const std::string& title : difference.scenarios) {
    if (std::ranges::find(titles, title) != titles.end()) continue;
    return ConfigError("unknown scenario " + title + NearestHint(NearestName(title, titles)));
  }
  return {};
}

Result<void> Check(const Difference& difference, const std::vector<Scenario>& scenarios) {
  if (difference.what.empty()) return ConfigError("what: is missing");
  if (difference.why.empty()) return ConfigError("why: is missing");
  if (difference.scenarios.empty() == difference.unseen.empty()) {
    return ConfigError("set scenarios, or unseen with the reason");
  }
  if (difference.scenarios.empty()) return {};
  if (difference.where.empty()) return ConfigError("where: is missing");
  BERTH_TRY_VOID(Regex::Compile(difference.where));
  return CheckScenarios(difference, scenarios);
}

}  // namespace

bool Settings::IsOpen(const std::string& area) const {
  return std::ranges::find(open_areas, area) != open_areas.end();
}

Result<Settings> ReadSettings(const std::filesystem::path& file,
                              const std::vector<Scenario>& scenarios) {
  BERTH_TRY(const std::string text, ReadFile(file.string()));
  BERTH_TRY(const std::string json, yaml::ToJson(text));
  auto settings = json::Decode<Settings>(json, json::Mode::kStrict);
  if (!settings) return Fail(settings.error().With(file.string()));
  std::set<std::string> ids;
  for (const Difference& difference : settings->differences) {
    const std::string place = file.string() + ": difference \"" + difference.id + "\"";
    if (difference.id.empty() || !ids.insert(difference.id).second) {
      return ConfigError(place + ": requires a unique id");
    }
    if (auto checked = Check(difference, scenarios); !checked) {
      return Fail(checked.error().With(place));
    }
  }
  return settings;
}

Json Profiles(const std::vector<Scenario>& scenarios) {
  Json profiles = Json::array({{{"schedulerName", "default-scheduler"}}, CanaryProfile()});
  for (const Scenario& scenario : scenarios) {
    if (scenario.profile.is_null()) continue;
    profiles.push_back(scenario.profile);
    profiles.back()["schedulerName"] = scenario.scheduler_name();
  }
  return profiles;
}

}  // namespace berth::differential
