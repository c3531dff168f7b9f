// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "api/field_error.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "convert/policy.h"
#include "convert/policy_tables.h"
#include "crds/plugin_lists.h"

namespace berth::convert {
namespace {

// Source: pkg/scheduler/apis/config/legacy_types.go and types.go: MaxWeight is MaxTotalScore /
// MaxCustomPriorityScore.
constexpr int64_t kMaxWeight = std::numeric_limits<int64_t>::max() / 10;

using Errors = std::vector<std::string>;

bool IsSynonym(const PredicateRow& row, std::string_view name) {
  // Source: kube-scheduler pkg/scheduler/algorithm/predicates/predicates.go at v1.15.
  static constexpr std::pair<std::string_view, std::string_view> kFunctions[] = {
      {"PodFitsHost", "HostName"},
      {"PodMatchNodeSelector", "MatchNodeSelector"},
      {"InterPodAffinityMatches", "MatchInterPodAffinity"},
      {"CSIMaxVolumeLimitChecker", "MaxCSIVolumeCountPred"}};
  return (!name.empty() && name == row.plugins[0]) ||
         std::ranges::any_of(kFunctions, [&](const auto& function) {
           return function.first == name && function.second == row.name;
         });
}

bool IsSynonym(const PriorityRow& row, std::string_view name) {
  return !name.empty() && (name == row.plugin || row.name == std::string(name) + "Priority");
}

std::string OneArgument(std::string_view what, int count, const std::string& name) {
  return "exactly 1 " + std::string(what) +
         " argument is required, numArgs: " + std::to_string(count) + ", " + std::string(what) +
         " " + json::PathName(name);
}

// Returns the row that a name probably means: functions in the old schedulers' source and plugins
// have other names than predicates and priorities.
template <class Row>
std::optional<std::string> Nearest(const std::string& name, std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) {
    names.push_back(row.name);
    if (IsSynonym(row, name)) return std::string(row.name);
  }
  return NearestName(name, names);
}

template <class Row>
std::string NotFound(std::string_view what, const std::string& name, std::span<const Row> rows) {
  return std::string(what) + " type not found for " + json::Quoted(name) +
         NearestHint(Nearest(name, rows));
}

template <class Row>
bool Knows(std::span<const Row> rows, const std::string& name) {
  return std::ranges::find(rows, std::string_view(name), &Row::name) != rows.end();
}

void CheckPredicates(const std::vector<api::PolicyPredicate>& predicates, Errors& errors) {
  for (size_t i = 0; i < predicates.size(); ++i) {
    const api::PolicyPredicate& predicate = predicates[i];
    const std::string path = api::Index("predicates", i) + ": ";
    if (predicate.argument) {
      const int count = predicate.argument->Count();
      if (count != 1) errors.push_back(path + OneArgument("predicate", count, predicate.name));
    } else if (!Knows(PredicateRows(), predicate.name)) {
      errors.push_back(path + NotFound("predicate", predicate.name, PredicateRows()));
    }
  }
}

// Custom collects the priorities of one custom type. All label preferences must have one weight,
// since they become one plugin, and so must all service preferences. Only one resource allocation
// priority is allowed.
class Custom {
 public:
  std::optional<std::string> Check(const api::PolicyPriority& priority) {
    const api::PolicyPriorityArgument& argument = *priority.argument;
    if (argument.label_preference) return SameWeight("LabelPreference", priority);
    if (argument.service_anti_affinity) return SameWeight("ServiceAntiAffinity", priority);
    const auto [first, is_new] = first_.try_emplace("RequestedToCapacityRatio", &priority);
    if (is_new) return std::nullopt;
    return "priority " + json::Quoted(priority.name) +
           " redeclares custom priority \"RequestedToCapacityRatio\", from: " +
           json::Quoted(first->second->name);
  }

 private:
  std::optional<std::string> SameWeight(const std::string& kind,
                                        const api::PolicyPriority& priority) {
    const auto [first, is_new] = first_.try_emplace(kind, &priority);
    if (is_new || first->second->weight == priority.weight) return std::nullopt;
    return kind + " priority " + json::Quoted(priority.name) + " has a different weight with " +
           json::Quoted(first->second->name);
  }

  std::map<std::string, const api::PolicyPriority*> first_;
};

void CheckPriorities(const std::vector<api::PolicyPriority>& priorities, Errors& errors) {
  Custom custom;
  for (size_t i = 0; i < priorities.size(); ++i) {
    const api::PolicyPriority& priority = priorities[i];
    const std::string path = api::Index("priorities", i) + ": ";
    if (priority.weight <= 0 || priority.weight >= kMaxWeight) {
      errors.push_back(path + "priority " + json::PathName(priority.name) +
                       " should have a positive weight applied to it or it has overflown");
    }
    if (!priority.argument) {
      if (!Knows(PriorityRows(), priority.name)) {
        errors.push_back(path + NotFound("priority", priority.name, PriorityRows()));
      }
      continue;
    }
    const int count = priority.argument->Count();
    if (count != 1) {
      errors.push_back(path + OneArgument("priority", count, priority.name));
    } else if (const auto error = custom.Check(priority)) {
      errors.push_back(path + *error);
    }
  }
}

void CheckExtenders(const std::vector<api::LegacyExtender>& extenders, Errors& errors) {
  size_t binders = 0;
  std::set<std::string> managed;
  for (size_t i = 0; i < extenders.size(); ++i) {
    const api::LegacyExtender& extender = extenders[i];
    const std::string path = api::Index("extenders", i);
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      errors.push_back(path + ": priority for extender " + json::PathName(extender.url_prefix) +
                       " should have a positive weight applied to it");
    }
    if (!extender.bind_verb.empty()) ++binders;
    for (const api::ExtenderManagedResource& resource : extender.managed_resources) {
      if (managed.insert(resource.name).second) continue;
      errors.push_back(path + ": duplicate extender managed resource name " +
                       json::PathName(resource.name));
    }
  }
  if (binders > 1) {
    errors.push_back("extenders: only one extender can implement bind, found " +
                     std::to_string(binders));
  }
}

}  // namespace

Errors ErrorsOf(const api::LegacyPolicy& policy) {
  Errors errors;
  if (policy.predicates) CheckPredicates(*policy.predicates, errors);
  if (policy.priorities) CheckPriorities(*policy.priorities, errors);
  CheckExtenders(policy.extenders, errors);
  const int32_t weight = policy.hard_pod_affinity_symmetric_weight;
  if (weight < 0 || weight > 100) {
    errors.push_back(api::FieldError::Invalid("hardPodAffinitySymmetricWeight", weight,
                                              "not in valid range [0-100]")
                         .ToString());
  }
  return errors;
}

void RemoveInvalid(api::LegacyPolicy& policy) {
  const auto is_invalid = [](const auto& check, const auto& entry) {
    Errors errors;
    check({entry}, errors);
    return !errors.empty();
  };
  if (policy.predicates) {
    std::erase_if(*policy.predicates,
                  [&](const auto& entry) { return is_invalid(CheckPredicates, entry); });
  }
  if (policy.priorities) {
    std::erase_if(*policy.priorities,
                  [&](const auto& entry) { return is_invalid(CheckPriorities, entry); });
  }
  std::erase_if(policy.extenders,
                [&](const auto& entry) { return is_invalid(CheckExtenders, entry); });
  if (!ErrorsOf({.hard_pod_affinity_symmetric_weight = policy.hard_pod_affinity_symmetric_weight})
           .empty()) {
    policy.hard_pod_affinity_symmetric_weight = 0;
  }
}

}  // namespace berth::convert
