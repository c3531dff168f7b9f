// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

struct Attributes;

// PolicyRule is one rule of a role.
struct PolicyRule {
  std::vector<std::string> verbs, groups, resources, names, urls;

  bool Allows(const Attributes& attributes) const;
  nlohmann::json ToJson() const;
  // Returns the short form that privilege escalation errors list.
  std::string ToString() const;
};

// Parses `rules` of a role; malformed rules are left out.
std::vector<PolicyRule> ReadRules(const nlohmann::json& role);

// Returns the part of `wanted` that no rule of `owned` allows: one rule per group, resource and
// name with the missing verbs, or one per verb and path. Source: component-helpers
// auth/rbac/validation/policy_comparator.go and pkg/registry/rbac/validation/policy_compact.go.
std::vector<PolicyRule> Uncovered(std::span<const PolicyRule> owned,
                                  std::span<const PolicyRule> wanted);

// Formats a list like Go's %q: ["a" "b"]
std::string QuotedList(const std::vector<std::string>& list);

}  // namespace berth::apiserver
