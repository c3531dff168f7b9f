// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/go_convert.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "sandbox/apiserver/schema/go_form.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const char* GoKindOf(const json& value) {
  if (value.is_object()) return "map";
  if (value.is_array()) return "slice";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  return value.is_number_float() ? "float64" : "int64";
}

std::string GoKindOf(const Schema& schema) {
  switch (schema.type) {
    case ValueType::kInteger:
      return schema.format.empty() ? "int64" : schema.format;
    case ValueType::kNumber:
      return "float64";
    case ValueType::kBoolean:
      return "bool";
    default:
      return "string";
  }
}

Failure Refused(std::string why) { return Fail(Reason::kBadRequest, std::move(why)); }

bool IsWhole(const json& number) {
  return !number.is_number_float() || number.get<double>() == std::trunc(number.get<double>());
}

Result<void> CheckScalar(const Schema& schema, const json& value) {
  const bool fits = schema.type == ValueType::kString    ? value.is_string()
                    : schema.type == ValueType::kBoolean ? value.is_boolean()
                    : schema.type == ValueType::kNumber  ? value.is_number()
                                                         : value.is_number() && IsWhole(value);
  if (fits) return {};
  const std::string wanted = GoKindOf(schema);
  // Go converts between numbers, and numbers to strings; it knows no other way between scalars.
  const bool convertible = value.is_number() && schema.type != ValueType::kBoolean;
  if (!convertible || (value.is_number_float() && wanted == "string"))
    return Refused("unrecognized type: " + wanted);
  return Refused(std::string("cannot convert ") + GoKindOf(value) + " to " + wanted);
}

// Types with a decoder of their own: times, amounts, ports.
bool DecodesItself(const Schema& schema) {
  return schema.type == ValueType::kAny || schema.int_or_string || schema.preserve_unknown ||
         schema.format == "date-time" || schema.format == "micro-time";
}

Result<void> CheckItself(const Schema& schema, const json& value) {
  if (schema.int_or_string && !value.is_string() && !(value.is_number() && IsWhole(value)))
    return Refused(std::string("json: cannot unmarshal ") + value.type_name() +
                   " into Go value of type int32");
  return CheckGoTypes(schema, value);
}

Result<void> CheckBytes(const json& value) {
  if (!value.is_string())
    return Refused(std::string("cannot restore slice from ") + GoKindOf(value));
  if (const auto at = FirstBadBase64(value.get_ref<const std::string&>()))
    return Refused("error decoding from json: illegal base64 data at input byte " +
                   std::to_string(*at));
  return {};
}

}  // namespace

Result<void> CheckGoConversion(const Schema& schema, const json& document) {
  if (document.is_null()) return {};
  if (DecodesItself(schema)) return CheckItself(schema, document);
  if (schema.format == "byte") return CheckBytes(document);
  if (schema.type == ValueType::kArray) {
    if (!document.is_array())
      return Refused(std::string("cannot restore slice from ") + GoKindOf(document));
    for (const json& item : document) BERTH_TRY_VOID(CheckGoConversion(*schema.items.schema, item));
    return {};
  }
  if (schema.type != ValueType::kObject) return CheckScalar(schema, document);
  if (!document.is_object())
    return Refused(
        (schema.name.empty() ? "cannot restore map from " : "cannot restore struct from: ") +
        std::string(GoKindOf(document)));
  for (const auto& [key, field] : document.items())
    if (const Slot* slot = schema.SlotOf(key))
      BERTH_TRY_VOID(CheckGoConversion(*slot->schema, field));
  return {};
}

}  // namespace berth::apiserver
