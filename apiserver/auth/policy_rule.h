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

// Uncovered are those of `wanted` that `owned` does not allow: each broken down to one verb, group
// and resource. Source: pkg/registry/rbac/validation/policy_comparator.go.
std::vector<PolicyRule> Uncovered(std::span<const PolicyRule> owned,
                                  std::span<const PolicyRule> wanted);

}  // namespace berth::apiserver
