// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/judge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/regex.h"
#include "base/strings.h"
#include "tests/differential/alike.h"
#include "tests/differential/volumes_seen.h"
#include "tests/support/json/differences.h"

namespace berth::differential {
namespace {

std::string StateOfGroup(const Json& group) {
  if (group.is_null() || group.contains("gone")) return "gone";
  const Json condition = group["conditions"].value("PodGroupInitiallyScheduled", Json::object());
  return condition.value("status", "") == "True" ? "scheduled" : "waiting";
}

// Returns the place of a pod, the volume of a claim, or the state of a group, in the words of
// `expect`.
std::string PlaceOf(const std::string& name, const Json& seen) {
  if (name.starts_with(kClaimPrefix)) {
    const std::string volume =
        VolumeFor(seen.value("volumes", Json()), name.substr(kClaimPrefix.size()));
    return volume.empty() ? "unbound" : volume;
  }
  if (name.starts_with(kGroupPrefix)) {
    return StateOfGroup(
        seen.value("groups", Json::object()).value(name.substr(kGroupPrefix.size()), Json()));
  }
  const Json pod = seen["pods"].value(name, Json());
  if (pod.is_null() || pod.contains("gone")) return "gone";
  return pod.value("node", "pending");
}

bool IsAlikeName(const Scenario& scenario, const std::string& name) {
  return std::ranges::find(scenario.alike, name) != scenario.alike.end();
}

std::vector<std::string> Sorted(std::vector<std::string> places) {
  std::ranges::sort(places);
  return places;
}

// Returns the places of the pods that are alike, sorted.
std::vector<std::string> PlacesOfAlike(const std::string& name, const Json& seen) {
  std::vector<std::string> places;
  for (const auto& [pod, state] : seen["pods"].items()) {
    if (IsAlike(pod, name)) places.push_back(PlaceOf(pod, seen));
  }
  return Sorted(std::move(places));
}

void Expect(const Scenario& scenario, const std::string& who, const Json& transcript,
            std::vector<std::string>& lines) {
  for (const auto& [name, places] : scenario.expect) {
    if (IsAlikeName(scenario, name)) {
      const std::string found = Join(PlacesOfAlike(name, transcript.back()), ", ");
      const std::string expected = Join(Sorted(places), ", ");
      if (found == expected) continue;
      lines.push_back(
          fmt::format("end.{}: {} has them {}, expected {}", name, who, found, expected));
      continue;
    }
    const std::string place = PlaceOf(name, transcript.back());
    if (std::ranges::find(places, place) != places.end()) continue;
    lines.push_back(
        fmt::format("end.{}: {} has it {}, expected {}", name, who, place, Join(places, " or ")));
  }
}

// Replaces each node of an open choice with the same word.
void Open(Json& pod, const std::vector<std::string>& places) {
  const std::string open = "any of " + Join(places, ", ");
  for (const char* field : {"node", "nominatedNodeName"}) {
    if (std::ranges::find(places, pod.value(field, "")) != places.end()) pod[field] = open;
  }
  for (Json& event : pod["events"]) {
    const std::string note = event["note"];
    for (const std::string& place : places) {
      const std::string end = " to " + place;
      if (note.ends_with(end))
        event["note"] = note.substr(0, note.size() - end.size()) + " to " + open;
    }
  }
}

Json WithoutChoices(const Scenario& scenario, Json transcript) {
  for (Json& step : transcript) {
    for (const auto& [pod, places] : scenario.expect) {
      const bool is_open = places.size() > 1 && step["pods"].contains(pod);
      if (is_open) Open(step["pods"][pod], places);
    }
    step = WithoutNumbers(std::move(step), scenario);
  }
  return transcript;
}

// Lists differences with the first step that shows them; later steps show them again.
std::vector<std::string> CompareSteps(const Json& expected, const Json& found) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
    for (const char* part : {"pods", "groups", "claims", "volumes", "calls"}) {
      const Json wanted = expected[i].value(part, Json());
      for (std::string& line : json::Differences(wanted, found[i].value(part, Json()), part)) {
        if (!seen.insert(line).second) continue;
        lines.push_back(
            fmt::format("after {} ({}): {}", i, expected[i]["after"].get<std::string>(), line));
      }
    }
  }
  return lines;
}

std::vector<std::string> AllDifferences(const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const auto& [who, transcript] :
       {std::pair(std::string("kube-scheduler"), &outcome.kube_scheduler),
        std::pair(outcome.beside_is, &outcome.beside)}) {
    if (!*transcript) {
      lines.push_back(fmt::format("{}: {}", who, transcript->error().message()));
    } else {
      Expect(scenario, who, **transcript, lines);
    }
  }
  if (!outcome.kube_scheduler || !outcome.beside) return lines;
  std::ranges::move(CompareSteps(WithoutChoices(scenario, *outcome.kube_scheduler),
                                 WithoutChoices(scenario, *outcome.beside)),
                    std::back_inserter(lines));
  return lines;
}

bool IsListed(const Difference& difference, const Scenario& scenario) {
  return std::ranges::find(difference.scenarios, scenario.title()) != difference.scenarios.end();
}

struct Counts {
  int scenarios = 0, equal = 0, known = 0, open = 0, differ = 0;

  void Add(const Counts& other) {
    scenarios += other.scenarios;
    equal += other.equal;
    known += other.known;
    open += other.open;
    differ += other.differ;
  }
};

Counts CountsOf(const Scenario& scenario, const Finding& finding, const Settings& settings) {
  Counts counts{.scenarios = 1};
  if (!finding.lines.empty()) {
    ++(settings.IsOpen(scenario.area) ? counts.open : counts.differ);
  } else {
    ++(finding.known.empty() ? counts.equal : counts.known);
  }
  return counts;
}

std::string RowOf(const std::string& area, const Counts& counts) {
  return fmt::format("{:<16}{:>10}{:>8}{:>8}{:>8}{:>8}\n", area, counts.scenarios, counts.equal,
                     counts.known, counts.open, counts.differ);
}

// Lists the deliberate differences that did not occur in their scenarios.
std::vector<std::string> Stale(const std::vector<Scenario>& scenarios,
                               const std::vector<Finding>& findings, const Settings& settings) {
  std::vector<std::string> lines;
  for (const Difference& difference : settings.differences) {
    for (size_t i = 0; i < scenarios.size(); ++i) {
      if (!IsListed(difference, scenarios[i]) || findings[i].known.contains(difference.id))
        continue;
      lines.push_back(fmt::format("{}: stale difference \"{}\": it did not occur",
                                  scenarios[i].title(), difference.id));
    }
  }
  return lines;
}

}  // namespace

Finding Compare(const Scenario& scenario, const Outcome& outcome, const Settings& settings) {
  std::vector<std::pair<std::string, std::shared_ptr<const Regex>>> known;
  for (const Difference& difference : settings.differences) {
    // ReadSettings has already compiled it.
    if (IsListed(difference, scenario)) {
      known.emplace_back(difference.id, *Regex::Compile(difference.where));
    }
  }
  Finding finding;
  for (std::string& line : AllDifferences(scenario, outcome)) {
    const auto of = std::ranges::find_if(
        known, [&](const auto& difference) { return difference.second->Matches(line); });
    if (of == known.end()) {
      finding.lines.push_back(std::move(line));
    } else {
      finding.known.insert(of->first);
    }
  }
  return finding;
}

Report Summarize(const std::vector<Scenario>& scenarios, const std::vector<Finding>& findings,
                 const Settings& settings) {
  Report report;
  std::map<std::string, Counts> areas;
  Counts total;
  for (size_t i = 0; i < scenarios.size(); ++i) {
    for (const std::string& line : findings[i].lines) {
      report.text += fmt::format("{}: {}\n", scenarios[i].title(), line);
    }
    const Counts counts = CountsOf(scenarios[i], findings[i], settings);
    areas[scenarios[i].area].Add(counts);
    total.Add(counts);
  }
  const std::vector<std::string> stale = Stale(scenarios, findings, settings);
  for (const std::string& line : stale) report.text += line + "\n";
  report.text += fmt::format("\n{:<16}{:>10}{:>8}{:>8}{:>8}{:>8}\n", "area", "scenarios", "equal",
                             "known", "open", "differ");
  for (const auto& [area, counts] : areas) report.text += RowOf(area, counts);
  report.text += RowOf("all", total);
  report.good = total.differ == 0 && stale.empty();
  return report;
}

}  // namespace berth::differential
