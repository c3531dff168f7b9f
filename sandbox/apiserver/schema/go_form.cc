// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/go_form.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/quantity.h"
#include "base/strings.h"
#include "base/time.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kQuantityForm =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const char* TypeWord(const Slot& slot) {
  switch (slot.schema->type) {
    case ValueType::kObject:
      return "an object";
    case ValueType::kArray:
      return "a list";
    case ValueType::kString:
      return "a string";
    case ValueType::kInteger:
      return "an integer";
    case ValueType::kNumber:
      return "a number";
    case ValueType::kBoolean:
      return "a boolean";
    case ValueType::kAny:
      return "an integer or a string";
  }
  return "";
}

// Reports whether a number is whole and fits the Go type of the format.
bool FitsInteger(const json& value, std::string_view format) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number != std::trunc(number)) return false;
  }
  const double number = value.get<double>();
  if (format == "int32")
    return number >= std::numeric_limits<int32_t>::min() &&
           number <= std::numeric_limits<int32_t>::max();
  return std::abs(number) < 9.3e18;
}

class GoTypeCheck {
 public:
  Result<void> Walk(const Slot& slot, const json& value) {
    if (value.is_null()) return {};
    const Schema& schema = *slot.schema;
    if (schema.int_or_string) {
      if (value.is_string() || IsInteger(value, "int32")) return {};
      return Mismatch(slot, value);
    }
    switch (schema.type) {
      case ValueType::kObject:
        if (!value.is_object()) return Mismatch(slot, value);
        return WalkObject(schema, value);
      case ValueType::kArray:
        if (!value.is_array()) return Mismatch(slot, value);
        for (const json& item : value) BERTH_TRY_VOID(Walk(schema.items, item));
        return {};
      case ValueType::kString:
        if (!value.is_string()) return Mismatch(slot, value);
        return CheckText(schema, value.get_ref<const std::string&>());
      case ValueType::kInteger:
        return IsInteger(value, schema.format) ? Result<void>() : Mismatch(slot, value);
      case ValueType::kNumber:
        return value.is_number() ? Result<void>() : Mismatch(slot, value);
      case ValueType::kBoolean:
        return value.is_boolean() ? Result<void>() : Mismatch(slot, value);
      case ValueType::kAny:
        return schema.format == "quantity" ? CheckQuantity(value) : Result<void>();
    }
    return {};
  }

 private:
  static bool IsInteger(const json& value, std::string_view format) {
    return value.is_number() && FitsInteger(value, format);
  }

  Result<void> WalkObject(const Schema& schema, const json& value) {
    for (const auto& [key, field] : value.items()) {
      const Slot* slot = schema.SlotOf(key);
      if (slot == nullptr) continue;
      path_.push_back(key);
      BERTH_TRY_VOID(Walk(*slot, field));
      path_.pop_back();
    }
    return {};
  }

  static Result<void> CheckQuantity(const json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : DocumentText(value);
    if (value.is_structured() || !Quantity::Parse(text))
      return Fail(Reason::kBadRequest, kQuantityForm);
    return {};
  }

  static Result<void> CheckText(const Schema& schema, const std::string& text) {
    const bool fits = schema.format == "date-time"    ? Time::Parse(text).has_value()
                      : schema.format == "micro-time" ? MicroTime::Parse(text).has_value()
                      : schema.format == "byte"       ? DecodeBase64(text).has_value()
                                                      : true;
    if (!fits) return Fail(Reason::kBadRequest, Quoted(text) + " is not a " + schema.format);
    return {};
  }

  Result<void> Mismatch(const Slot& slot, const json& value) const {
    return Fail(Reason::kBadRequest, Join(path_, ".") + ": " + TypeWord(slot) +
                                         " is expected, found " + DocumentText(value));
  }

  std::vector<std::string> path_;
};

bool IsZero(const json& value) {
  if (value.is_null()) return true;
  if (value.is_structured()) return value.empty();
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  if (value.is_boolean()) return !value.get<bool>();
  return value.is_number() && value.get<double>() == 0;
}

void RewriteScalar(const Schema& schema, json* value) {
  if (schema.format == "quantity") {
    const auto quantity =
        Quantity::Parse(value->is_string() ? value->get<std::string>() : DocumentText(*value));
    if (quantity) *value = quantity->ToString();
  } else if (schema.format == "date-time" && value->is_string()) {
    if (const auto time = Time::Parse(value->get<std::string>())) *value = time->ToString();
  } else if (schema.format == "micro-time" && value->is_string()) {
    if (const auto time = MicroTime::Parse(value->get<std::string>())) *value = time->ToString();
  } else if (value->is_number_float() &&
             (schema.type == ValueType::kInteger || schema.int_or_string)) {
    *value = static_cast<int64_t>(value->get<double>());
  }
}

}  // namespace

Result<void> CheckGoTypes(const Schema& schema, const json& document) {
  Slot root;
  root.schema = &schema;
  return GoTypeCheck().Walk(root, document);
}

void ToGoForm(const Schema& schema, json* document) {
  if (document->is_array()) {
    if (!schema.items) return;
    for (json& item : *document) ToGoForm(*schema.items.schema, &item);
  } else if (!document->is_object()) {
    RewriteScalar(schema, document);
  } else if (schema.type == ValueType::kObject && !schema.preserve_unknown) {
    for (auto at = document->begin(); at != document->end();) {
      const Slot* slot = schema.SlotOf(at.key());
      if (slot == nullptr) {
        ++at;
        continue;
      }
      ToGoForm(*slot->schema, &*at);
      const bool is_gone = slot->empty == EmptyForm::kDropped ? IsZero(*at)
                           : slot->empty == EmptyForm::kAsIs  ? at->is_null()
                                                              : false;
      at = is_gone ? document->erase(at) : std::next(at);
    }
  }
}

}  // namespace berth::apiserver
