// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_value.h"

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string ValueText(const json& value, std::span<const GoField> fields) {
  if (fields.empty()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (!value.is_array()) return GoText(value, fields);
  std::string text;
  for (const json& item : value) text += (text.empty() ? "" : ",") + GoText(item, fields);
  return "[" + text + "]";
}

}  // namespace

std::string GoText(const json& value, std::span<const GoField> fields) {
  std::string text;
  for (const GoField& field : fields) {
    text += text.empty() ? "\"" : ",\"";
    text.append(field.name).append("\":");
    const auto found = value.is_object() ? value.find(field.key) : value.end();
    if (found == value.end() || found->is_null())
      text.append(field.zero);
    else
      text += ValueText(*found, field.fields);
  }
  return "{" + text + "}";
}

}  // namespace berth::apiserver
