// SPDX-License-Identifier: Apache-2.0
#include "controllers/mutators.h"

#include <algorithm>
#include <string_view>

#include "api/labels.h"

namespace berth::controllers {
namespace {

bool Names(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::any_of(
      list, [&](const std::string& entry) { return entry == "*" || entry == name; });
}

// Versions are not compared: by default a rule also matches equivalent versions. Operations are
// CREATE for the first write and UPDATE for all others.
bool Matches(const api::RuleWithOperations& rule, const AnyObject& object) {
  const api::ResourceInfo& resource = object.resource();
  const std::vector<std::string>& names = rule.resource_names;
  return Names(rule.api_groups, resource.group) &&
         (Names(rule.resources, resource.plural) || Names(rule.resources, "*/*")) &&
         (Names(rule.operations, "CREATE") || Names(rule.operations, "UPDATE")) &&
         (names.empty() || std::ranges::find(names, object.metadata().name) != names.end()) &&
         rule.scope != (resource.namespaced ? "Cluster" : "Namespaced");
}

bool Matches(const std::vector<api::RuleWithOperations>& rules, const AnyObject& object) {
  return std::ranges::any_of(
      rules, [&](const api::RuleWithOperations& rule) { return Matches(rule, object); });
}

// An absent selector matches every object, and so does one that does not compile: admission reads
// it more leniently.
bool Selects(const std::optional<api::LabelSelector>& selector, const AnyObject& object) {
  if (!selector) return true;
  const Result<api::Selector> compiled = api::Selector::Create(*selector);
  return !compiled || compiled->Matches(object.metadata().labels);
}

bool Matches(const std::optional<api::MatchResources>& match, const AnyObject& object) {
  return match && Matches(match->resource_rules, object) &&
         !Matches(match->exclude_resource_rules, object) && Selects(match->object_selector, object);
}

}  // namespace

std::vector<std::string> MutatorsOf(const AnyObject& object, const Mutators& registered) {
  std::vector<std::string> names;
  for (const auto& configuration : registered.webhooks) {
    for (const api::MutatingWebhook& webhook : configuration->webhooks) {
      if (!Matches(webhook.rules, object) || !Selects(webhook.object_selector, object)) continue;
      names.push_back("webhook " + configuration->metadata.name + "/" + webhook.name);
    }
  }
  for (const auto& policy : registered.policies) {
    if (Matches(policy->spec.match_constraints, object)) {
      names.push_back("policy " + policy->metadata.name);
    }
  }
  return names;
}

}  // namespace berth::controllers
