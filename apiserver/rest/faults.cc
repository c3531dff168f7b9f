// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/faults.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::pair<std::string_view, FaultRule::Action> kActions[] = {
    {"fail", FaultRule::Action::kFail},           {"dropBefore", FaultRule::Action::kDropBefore},
    {"dropAfter", FaultRule::Action::kDropAfter}, {"duplicate", FaultRule::Action::kDuplicate},
    {"delay", FaultRule::Action::kDelay},         {"stale", FaultRule::Action::kStale}};

}  // namespace

bool FaultRule::Matches(const RequestInfo& info) const {
  const auto fits = [](const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
  };
  return fits(verb, info.verb) && fits(group, info.group) && fits(resource, info.resource) &&
         fits(subresource, info.subresource) && fits(namespace_, info.namespace_) &&
         fits(name, info.name);
}

Answer<FaultRule> FaultRule::FromJson(const json& document) {
  const auto refuse = [](FieldProblem problem) {
    return Refuse(Invalid("", "Fault", "", std::vector{std::move(problem)}));
  };
  if (!document.is_object())
    return refuse(InvalidField("", document.dump(), "a fault is an object"));
  FaultRule rule;
  const std::string action = document.value("action", "");
  const auto* found = std::find_if(std::begin(kActions), std::end(kActions),
                                   [&](const auto& row) { return row.first == action; });
  if (found == std::end(kActions)) {
    return refuse(InvalidField("action", json(action).dump(),
                               "allowed are fail, dropBefore, dropAfter, duplicate, delay, stale"));
  }
  rule.action = found->second;
  try {
    rule.verb = document.value("verb", "");
    rule.group = document.value("group", "");
    rule.resource = document.value("resource", "");
    rule.subresource = document.value("subresource", "");
    rule.namespace_ = document.value("namespace", "");
    rule.name = document.value("name", "");
    rule.code = document.value("code", 500);
    rule.delay = std::chrono::milliseconds(document.value("delayMilliseconds", 0));
    rule.lag = document.value("lag", uint64_t{0});
    rule.probability = document.value("probability", 1.0);
    rule.skip = document.value("skip", 0);
    rule.times = document.value("times", -1);
  } catch (const json::type_error& error) {
    return refuse(InvalidField("", document.dump(), error.what()));
  }
  if (rule.code < 400 || rule.code > 599)
    return refuse(
        InvalidField("code", std::to_string(rule.code), "must be an HTTP error, 400 to 599"));
  return rule;
}

FaultPlan FaultInjector::Plan(const RequestInfo& info) {
  FaultPlan plan;
  for (FaultRule& rule : rules_) {
    if (!rule.Matches(info) || rule.times == 0) continue;
    // Drawn for each match, so that a rule does not shift the luck of another.
    const double drawn =
        static_cast<double>(engine_() >> 11) / static_cast<double>(uint64_t{1} << 53);
    if (drawn >= rule.probability) continue;
    if (rule.skip > 0) {
      --rule.skip;
      continue;
    }
    if (rule.times > 0) --rule.times;
    switch (rule.action) {
      case FaultRule::Action::kFail:
        plan.fail_code = rule.code;
        break;
      case FaultRule::Action::kDropBefore:
        plan.drop_before = true;
        break;
      case FaultRule::Action::kDropAfter:
        plan.drop_after = true;
        break;
      case FaultRule::Action::kDuplicate:
        plan.duplicate = true;
        break;
      case FaultRule::Action::kDelay:
        plan.delay += rule.delay;
        break;
      case FaultRule::Action::kStale:
        plan.lag = std::max(plan.lag, rule.lag);
        break;
    }
  }
  return plan;
}

}  // namespace berth::apiserver
