// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/document.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::apiserver {

using nlohmann::json;

const json* At(const json& object, std::string_view path) {
  const json* at = &object;
  for (const std::string_view step : Split(path, '/')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(step);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string TextAt(const json& object, std::string_view path) {
  const json* value = At(object, path);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

int64_t IntAt(const json& object, std::string_view path, int64_t otherwise) {
  const json* value = At(object, path);
  return value != nullptr && value->is_number_integer() ? value->get<int64_t>() : otherwise;
}

}  // namespace berth::apiserver
