// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_print.h"

#include <nlohmann/json.hpp>

namespace berth::apiserver {

using nlohmann::json;

std::string GoPrint(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "<nil>";
  if (!value.is_structured()) return value.dump();
  std::string text = value.is_object() ? "map[" : "[";
  bool is_first = true;
  for (const auto& [key, child] : value.items()) {
    if (!is_first) text += ' ';
    is_first = false;
    if (value.is_object()) text += key + ":";
    text += GoPrint(child);
  }
  return text + "]";
}

std::string GoSyntax(const json& value) {
  if (value.is_null()) return "interface {}(nil)";
  if (!value.is_structured()) return value.dump();
  std::string text = value.is_object() ? "map[string]interface {}{" : "[]interface {}{";
  bool is_first = true;
  for (const auto& [key, child] : value.items()) {
    if (!is_first) text += ", ";
    is_first = false;
    if (value.is_object()) text += json(key).dump() + ":";
    text += GoSyntax(child);
  }
  return text + "}";
}

}  // namespace berth::apiserver
