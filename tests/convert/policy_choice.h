// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"

// A Policy, a cluster and a pod, with the decision of a kube-scheduler that used the Policy:
// policy/README.md.
namespace berth::convert {

// PolicyCase is one line of a case file.
struct PolicyCase {
  std::string name;
  nlohmann::json document;
};

// Parses the lines. Errors name the invalid line.
Result<std::vector<PolicyCase>> CasesIn(std::string_view lines);

// Converts the Policy, runs its profile in the scheduling core, and returns the differences: the
// nodes that fit, the selected node, and the distance of each total to the best one. The totals
// themselves may differ by a constant, because a plugin that used to give all nodes the same score
// may now be skipped. An empty result means that the case has passed.
//
// The report must contain the case's `named` text. A case that `differs` in its "choice" or only in
// its "scores" fails if there is no such difference.
std::vector<std::string> DifferencesOf(const PolicyCase& policy_case);

}  // namespace berth::convert
