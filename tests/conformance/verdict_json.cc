// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/verdict_json.h"

#include <algorithm>

namespace berth::conformance {

nlohmann::json VerdictJson(const scheduler::Status& status, std::string_view plugin) {
  nlohmann::json verdict = {{"code", scheduler::ToString(status.code)}};
  if (!plugin.empty()) verdict["plugin"] = plugin;
  if (!status.reasons.empty()) {
    auto reasons = status.reasons;
    std::sort(reasons.begin(), reasons.end());
    verdict["reasons"] = std::move(reasons);
  }
  return verdict;
}

}  // namespace berth::conformance
