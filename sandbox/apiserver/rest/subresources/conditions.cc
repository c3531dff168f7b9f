// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/subresources/conditions.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

using nlohmann::json;

void PutCondition(json& status, json condition, Time now) {
  condition["lastTransitionTime"] = now.ToString();
  json& conditions = status["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  for (json& existing : conditions) {
    if (existing.value("type", "") != condition["type"]) continue;
    if (existing.value("status", "") == condition["status"] &&
        existing.contains("lastTransitionTime")) {
      condition["lastTransitionTime"] = existing["lastTransitionTime"];
    }
    existing = std::move(condition);
    return;
  }
  conditions.push_back(std::move(condition));
}

const json* FindCondition(const json& object, std::string_view type) {
  const json* conditions = At(object, "status/conditions");
  if (conditions == nullptr) return nullptr;
  for (const json& condition : *conditions) {
    if (condition.value("type", "") == type) return &condition;
  }
  return nullptr;
}

}  // namespace berth::apiserver
