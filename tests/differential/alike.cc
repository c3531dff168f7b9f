// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/alike.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "tests/differential/written.h"

namespace berth::differential {
namespace {

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

// Replaces "NAME-12" by "NAME-*", unless it is a part of a longer name.
void RemoveNumbers(std::string& text, const std::string& name) {
  const std::string start = name + "-";
  for (size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    const size_t number = at + start.size();
    size_t end = number;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const bool is_whole = (at == 0 || !IsPartOfName(text[at - 1])) &&
                          (end == text.size() || !IsPartOfName(text[end]));
    if (end > number && is_whole) text.replace(number, end - number, "*");
    at = number;
  }
}

void RemoveNumbersIn(Json& value, const std::vector<std::string>& alike) {
  if (value.is_string()) {
    for (const std::string& name : alike) RemoveNumbers(value.get_ref<std::string&>(), name);
  }
  if (value.is_structured()) {
    for (Json& part : value) RemoveNumbersIn(part, alike);
  }
}

std::vector<Json> TakeAlike(Json& pods, const std::string& name) {
  std::vector<Json> states;
  for (auto pod = pods.begin(); pod != pods.end();) {
    if (IsAlike(pod.key(), name)) {
      states.push_back(std::move(*pod));
      pod = pods.erase(pod);
    } else {
      ++pod;
    }
  }
  return states;
}

// Removes the events of pods and returns each different one once.
Json TakeEvents(std::vector<Json>& states) {
  std::set<Json> different;
  for (Json& state : states) {
    const Json events = Take(state, "events");
    different.insert(events.begin(), events.end());
  }
  return Json(different);
}

}  // namespace

bool IsAlike(const std::string& pod, const std::string& name) {
  std::string without = pod;
  RemoveNumbers(without, name);
  return without == name + "-*";
}

Json WithoutNumbers(Json observation, const Scenario& scenario) {
  RemoveNumbersIn(observation, scenario.alike);
  Json& pods = observation["pods"];
  for (const std::string& name : scenario.alike) {
    std::vector<Json> states = TakeAlike(pods, name);
    if (scenario.repeats == Repeats::kFree) pods[name + "-*"]["events"] = TakeEvents(states);
    std::ranges::sort(states, {}, [](const Json& state) { return state.dump(); });
    for (size_t i = 0; i < states.size(); ++i) {
      pods[name + "-*" + std::to_string(i)] = std::move(states[i]);
    }
  }
  return observation;
}

}  // namespace berth::differential
