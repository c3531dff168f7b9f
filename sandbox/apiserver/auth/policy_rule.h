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
  // The rule in short, as refusals of escalation list it.
  std::string ToString() const;
};

// ReadRules reads `rules` of a role; what is no rule is left out.
std::vector<PolicyRule> ReadRules(const nlohmann::json& role);

// Uncovered is what of `wanted` no rule of `owned` allows: a rule per group, resource and name with
// the verbs that lack, one per verb and path. Source: component-helpers
// auth/rbac/validation/policy_comparator.go and pkg/registry/rbac/validation/policy_compact.go.
std::vector<PolicyRule> Uncovered(std::span<const PolicyRule> owned,
                                  std::span<const PolicyRule> wanted);

// QuotedList writes a list as Go's %q does: ["a" "b"]
std::string QuotedList(const std::vector<std::string>& list);

}  // namespace berth::apiserver
