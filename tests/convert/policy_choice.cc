// SPDX-License-Identifier: Apache-2.0
#include "tests/convert/policy_choice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/config.h"
#include "crds/validation.h"
#include "scheduler/plugins/registry.h"
#include "tests/conformance/cluster.h"
#include "tests/conformance/cycle_answers.h"
#include "tests/convert/conversion.h"
#include "tests/convert/scripted_port.h"

namespace berth::convert {
namespace {

using Json = nlohmann::json;
using Totals = std::map<std::string, int64_t>;
using Nodes = std::set<std::string>;

// Choice is a decision about a pod: the core's or the expected one.
struct Choice {
  Nodes feasible;
  Totals behind;  // distance of each total to the best one
  Nodes best;
};

Choice ChoiceOf(const Json& answer) {
  Choice choice;
  choice.feasible = answer.value("feasible", Nodes());
  const auto total = answer.value("total", Totals());
  int64_t highest = 0;
  for (const auto& [node, score] : total) highest = std::max(highest, score);
  for (const std::string& node : choice.feasible) {
    const auto found = total.find(node);
    const int64_t behind = found == total.end() ? 0 : highest - found->second;
    choice.behind[node] = behind;
    if (behind == 0) choice.best.insert(node);
  }
  return choice;
}

// Asked is a converted Policy loaded into the core.
struct Asked {
  Choice choice;
  std::string chosen;  // "": no node
  std::string report;
};

Result<conformance::Fixture> FixtureOf(const PolicyCase& policy_case,
                                       const crds::SchedulerProfile& profile) {
  crds::SchedulerProfile placed = crds::WithDefaults(profile);
  crds::PlaceByDefault(placed, crds::kDefaultNamespace);
  const std::vector<std::string> names = {placed.metadata.name};
  BERTH_TRY(const std::string config, yaml::ToJson(controllers::RenderConfig(placed, names)));
  const Json fixture = {{"name", policy_case.name},
                        {"config", Json::parse(config)},
                        {"objects", policy_case.document.at("objects")},
                        {"pod", policy_case.document.at("pod")},
                        {"expect", Json::object()}};
  return conformance::ParseFixture(fixture.dump());
}

std::string NodeChosen(conformance::Cluster& cluster, const scheduler::PendingPod& pod) {
  scheduler::CycleState state;
  const scheduler::Outcome outcome =
      scheduler::SchedulePod({.profile = cluster.profile(),
                              .snapshot = cluster.snapshot(),
                              .pod = pod,
                              .nominated = cluster.nominated(),
                              .start = cluster.start(),
                              .result_cache = cluster.result_cache()},
                             state);
  return outcome.kind == scheduler::Outcome::Kind::kPlaced ? outcome.node.name() : "";
}

Result<Asked> Ask(const PolicyCase& policy_case) {
  BERTH_TRY(const Conversion conversion, Convert(policy_case.document.at("policy").dump(),
                                                 {.source = "policy.json"}, Catalogue()));
  if (!conversion.errors.empty()) return ConfigError(Join(conversion.errors, "; "));
  const crds::SchedulerProfile& profile = conversion.profiles.front().profile;
  if (const std::string errors = ErrorsIn(profile); !errors.empty()) {
    return ConfigError(errors);
  }
  BERTH_TRY(const conformance::Fixture fixture, FixtureOf(policy_case, profile));
  const Json scripts = policy_case.document.value("extenders", Json::object());
  const auto make_port = [&scripts](const api::Extender& extender) {
    return MakeScriptedPort(extender, scripts);
  };
  static const scheduler::Registry registry = scheduler::MakeRegistry();
  BERTH_TRY(const auto cluster,
            conformance::Cluster::Create(fixture, registry, conformance::ResultCacheMode::kCold,
                                         make_port));
  const auto pod = cluster->InfoOf(fixture.steps.front().pod);
  Json answer;
  conformance::AddCycleResults(*cluster, *pod, /*is_sequence=*/false, answer);
  return Asked{ChoiceOf(answer), NodeChosen(*cluster, *pod), ReportOf(conversion)};
}

void CompareChoice(const Choice& expected, const Asked& asked,
                   std::vector<std::string>& differences) {
  if (expected.feasible != asked.choice.feasible) {
    differences.push_back("feasible: expected " + Json(expected.feasible).dump() + ", found " +
                          Json(asked.choice.feasible).dump());
  }
  if (expected.best != asked.choice.best) {
    differences.push_back("best: expected " + Json(expected.best).dump() + ", found " +
                          Json(asked.choice.best).dump() + " by " +
                          Json(asked.choice.behind).dump());
  }
  const bool is_one_of_the_best =
      expected.best.empty() ? asked.chosen.empty() : expected.best.contains(asked.chosen);
  if (!is_one_of_the_best) {
    differences.push_back("chosen: expected one of " + Json(expected.best).dump() + ", found \"" +
                          asked.chosen + "\"");
  }
}

void CompareScores(const Choice& expected, const Choice& found,
                   std::vector<std::string>& differences) {
  if (expected.behind == found.behind) return;
  differences.push_back("behind the best: expected " + Json(expected.behind).dump() + ", found " +
                        Json(found.behind).dump());
}

}  // namespace

Result<std::vector<PolicyCase>> CasesIn(std::string_view lines) {
  std::vector<PolicyCase> cases;
  std::istringstream stream{std::string(lines)};
  std::string line;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    Json document = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object() || !document.contains("name") || !document.contains("expect")) {
      return ConfigError("line " + std::to_string(number) + " is not a case");
    }
    cases.push_back({document.at("name").get<std::string>(), std::move(document)});
  }
  return cases;
}

std::vector<std::string> DifferencesOf(const PolicyCase& policy_case) {
  const auto asked = Ask(policy_case);
  if (!asked) return {asked.error().message()};
  const Choice expected = ChoiceOf(policy_case.document.at("expect"));
  const Choice& found = asked->choice;
  const std::string differs = policy_case.document.value("differs", "");
  std::vector<std::string> differences;
  if (differs == "choice") {
    if (expected.feasible == found.feasible && expected.best == found.best) {
      differences.emplace_back("the choice is the same, though the case says that it differs");
    }
  } else {
    CompareChoice(expected, *asked, differences);
  }
  if (differs == "scores") {
    if (expected.behind == found.behind) {
      differences.emplace_back("the scores are the same, though the case says that they differ");
    }
  } else if (differs.empty()) {
    CompareScores(expected, found, differences);
  }
  const std::string named = policy_case.document.value("named", "");
  if (asked->report.find(named) == std::string::npos) {
    differences.push_back("the report does not say \"" + named + "\":\n" + asked->report);
  }
  return differences;
}

}  // namespace berth::convert
