// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/go_form.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/quantity.h"
#include "base/time.h"
#include "sandbox/apiserver/go/go_time.h"
#include "sandbox/apiserver/schema/formats.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kQuantityForm =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

// "io.k8s.api.core.v1.Container" is Container; with its package v1.Container.
std::string_view TypeName(const Schema& schema) {
  return std::string_view(schema.name).substr(schema.name.rfind('.') + 1);
}

std::string QualifiedTypeName(const Schema& schema) {
  const size_t name = schema.name.rfind('.');
  const size_t package = schema.name.rfind('.', name - 1);
  return schema.name.substr(package + 1);
}

std::string GoType(const Slot& slot) {
  const Schema& schema = *slot.schema;
  switch (schema.type) {
    case ValueType::kObject:
      if (!schema.name.empty()) return QualifiedTypeName(schema);
      return "map[string]" + (schema.additional ? GoType(schema.additional) : "interface {}");
    case ValueType::kArray:
      return "[]" + GoType(schema.items);
    case ValueType::kString:
      if (schema.format == "byte") return "[]uint8";
      return slot.go_type.empty() ? "string" : slot.go_type;
    case ValueType::kInteger:
      return schema.format.empty() ? "int64" : schema.format;
    case ValueType::kNumber:
      return "float64";
    case ValueType::kBoolean:
      return "bool";
    case ValueType::kAny:
      return schema.int_or_string ? "int32" : schema.name;
  }
  return schema.name;
}

// A whole number that Go's type of the format holds.
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
      return Mismatch("int32", value);
    }
    switch (schema.type) {
      case ValueType::kObject:
        if (!value.is_object()) return Mismatch(GoType(slot), value);
        return WalkObject(schema, value);
      case ValueType::kArray:
        if (!value.is_array()) return Mismatch(GoType(slot), value);
        for (const json& item : value) BERTH_TRY_VOID(Walk(schema.items, item));
        return {};
      case ValueType::kString:
        if (!value.is_string()) return Mismatch(GoType(slot), value);
        return CheckText(schema, value.get_ref<const std::string&>());
      case ValueType::kInteger:
        return IsInteger(value, schema.format) ? Result<void>() : Mismatch(GoType(slot), value);
      case ValueType::kNumber:
        return value.is_number() ? Result<void>() : Mismatch(GoType(slot), value);
      case ValueType::kBoolean:
        return value.is_boolean() ? Result<void>() : Mismatch(GoType(slot), value);
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
    const Schema* outer = struct_;
    if (!schema.name.empty()) struct_ = &schema;
    for (const auto& [key, field] : value.items()) {
      const Slot* slot = schema.SlotOf(key);
      if (slot == nullptr) continue;
      // Keys of maps and positions in lists are no part of the path.
      if (!slot->name.empty()) path_.push_back(key);
      BERTH_TRY_VOID(Walk(*slot, field));
      if (!slot->name.empty()) path_.pop_back();
    }
    struct_ = outer;
    return {};
  }

  static Result<void> CheckQuantity(const json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_structured() || !Quantity::Parse(text))
      return Fail(Reason::kBadRequest, kQuantityForm);
    return {};
  }

  static Result<void> CheckText(const Schema& schema, const std::string& text) {
    if (schema.format == "date-time" || schema.format == "micro-time") {
      const bool micro = schema.format == "micro-time";
      if (auto why = GoTimeProblem(micro ? GoTime::kMicroseconds : GoTime::kSeconds, text))
        return Fail(Reason::kBadRequest, std::move(*why));
    }
    if (schema.format == "byte") {
      if (const auto at = FirstBadBase64(text))
        return Fail(Reason::kBadRequest,
                    "illegal base64 data at input byte " + std::to_string(*at));
    }
    return {};
  }

  Result<void> Mismatch(const std::string& type, const json& value) const {
    std::string found = value.is_boolean() ? "bool" : value.type_name();
    if (value.is_number() && (type.starts_with("int") || type.starts_with("uint")))
      found = "number " + value.dump();
    std::string text = "json: cannot unmarshal " + found + " into Go struct field ";
    if (struct_ != nullptr) text += TypeName(*struct_);
    for (const std::string& name : path_) text += "." + name;
    return Fail(Reason::kBadRequest, text + " of type " + type);
  }

  const Schema* struct_ = nullptr;
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
        Quantity::Parse(value->is_string() ? value->get<std::string>() : value->dump());
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
