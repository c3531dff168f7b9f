// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/option_values.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

Rejection BadOptions(std::string_view type, const Errors& errors) {
  return Reject(Invalid("meta.k8s.io", type, "", errors));
}

FieldError UnsupportedOption(std::string path, std::string value_json, std::string_view allowed) {
  return {FieldError::Type::kNotSupported, std::move(path), std::move(value_json),
          "supported values: " + std::string(allowed)};
}

Answer<int64_t> ReadInteger(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = end == text.data() + text.size() && !text.empty();
  if (is_number && error == std::errc()) return value;
  const char* why = is_number ? "value out of range" : "invalid syntax";
  return Reject(BadRequest("strconv.ParseInt: parsing " + Quoted(text) + ": " + why));
}

}  // namespace berth::apiserver
