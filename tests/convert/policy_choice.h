// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"

// A Policy, a cluster and a pod, and what a kube-scheduler with the Policy did: policy/README.md.
namespace berth::convert {

// PolicyCase is one line of a file of cases.
struct PolicyCase {
  std::string name;
  nlohmann::json document;
};

// CasesIn reads lines. The error says which one is not as it should be.
Result<std::vector<PolicyCase>> CasesIn(std::string_view lines);

// DifferencesOf converts the Policy, puts the profile that it becomes into the scheduling core, and
// compares: the nodes that fit, the node that is chosen, and how far each is behind the best. The
// totals themselves may differ by what all nodes get alike: today a plugin that has nothing to say
// of a pod is left out, where it gave all nodes the same. None means that the case has passed.
//
// What a case has as `named` the report must say. A case that `differs` in its "choice" or its
// "scores" alone has failed if it does not.
std::vector<std::string> DifferencesOf(const PolicyCase& policy_case);

}  // namespace berth::convert
