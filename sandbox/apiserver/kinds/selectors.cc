// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/selectors.h"

#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

Result<api::Selector> CompileSelector(const nlohmann::json& selector) {
  BERTH_TRY(const api::LabelSelector decoded,
            berth::json::Decode<api::LabelSelector>(DocumentText(selector)));
  return api::Selector::Create(decoded);
}

api::StringMap LabelsOf(const nlohmann::json* labels) {
  api::StringMap out;
  if (labels == nullptr || !labels->is_object()) return out;
  for (const auto& [key, value] : labels->items()) {
    if (value.is_string()) out[key] = value.get<std::string>();
  }
  return out;
}

}  // namespace berth::apiserver
