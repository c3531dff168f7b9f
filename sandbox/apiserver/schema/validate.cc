// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/validate.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/time.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/rules.h"

namespace berth::apiserver {
namespace {

using api::FieldError;
using nlohmann::json;

std::string_view TypeWord(const json& value) {
  if (value.is_number_float())
    return value.get<double>() == std::trunc(value.get<double>()) ? "integer" : "number";
  if (value.is_number()) return "integer";
  return value.type_name();
}

std::string_view TypeWord(ValueType type) {
  switch (type) {
    case ValueType::kObject:
      return "object";
    case ValueType::kArray:
      return "array";
    case ValueType::kString:
      return "string";
    case ValueType::kInteger:
      return "integer";
    case ValueType::kNumber:
      return "number";
    case ValueType::kBoolean:
      return "boolean";
    case ValueType::kAny:
      return "";
  }
  return "";
}

// Formats a number like Go: without a fraction if it is whole.
std::string NumberText(const json& number) {
  const double value = number.get<double>();
  const bool is_whole = value == std::trunc(value) && std::abs(value) < 1e15;
  return number.is_number_float() && is_whole ? std::to_string(static_cast<int64_t>(value))
                                              : DocumentText(number);
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

class Validator {
 public:
  explicit Validator(std::vector<FieldError>* errors) : errors_(errors) {}

  void Walk(const Schema& schema, const json& value, const json* old, const std::string& path) {
    if (value.is_null() && schema.nullable) return;
    if (old != nullptr && *old == value) return;
    const bool has_type = CheckType(schema, value, path);
    if (schema.rules != nullptr) {
      if (has_type) CheckRules(*schema.rules, value, path);
      CheckAllowed(*schema.rules, value, path);
    }
    if (value.is_object()) {
      WalkObject(schema, value, old, path);
    } else if (value.is_array()) {
      for (size_t i = 0; schema.items && i < value.size(); ++i)
        Walk(*schema.items.schema, value[i], CorrelatedItem(schema, value[i], old),
             api::Index(path, i));
      if (has_type && schema.rules != nullptr)
        CheckSize(schema.rules->min_items, schema.rules->max_items, value.size(), "items", path);
    }
  }

 private:
  // Adds an error without a single field.
  void AddGeneral(std::string detail) {
    errors_->push_back({FieldError::Type::kInvalid, "<nil>", "\"\"", std::move(detail)});
  }
  void AddInvalid(const std::string& path, const json& value, const std::string& detail) {
    errors_->push_back(
        FieldError::InvalidJson(path, DocumentText(value), path + " in body " + detail));
  }
  void AddType(const std::string& path, std::string found, std::string_view wanted) {
    found = Quoted(found);
    const std::string detail =
        path + " in body must be of type " + std::string(wanted) + ": " + found;
    errors_->push_back({FieldError::Type::kTypeInvalid, path, found, detail});
  }

  bool CheckType(const Schema& schema, const json& value, const std::string& path) {
    const std::string_view found = TypeWord(value);
    if (schema.int_or_string) {
      if (found == "integer" || found == "string") return true;
      AddType(path, std::string(found), "integer,string");
      return false;
    }
    const std::string_view wanted = TypeWord(schema.type);
    if (!wanted.empty() && found != wanted && !(wanted == "number" && found == "integer")) {
      AddType(path, std::string(found), wanted);
      if (wanted == "integer" && value.is_number())
        AddGeneral("Checked value must be of type integer (default format) in " + path);
      return false;
    }
    if (value.is_string() && schema.format == "date-time" && !Time::Parse(value.get<std::string>()))
      AddType(path, value.get<std::string>(), schema.format);
    if (value.is_number() && schema.format == "int32" &&
        !(std::abs(value.get<double>()) <= std::numeric_limits<int32_t>::max()))
      AddGeneral("Checked value must be of type integer with format int32 in " + path);
    return true;
  }

  void CheckRules(const SchemaRules& rules, const json& value, const std::string& path) {
    if (value.is_string()) CheckText(rules, value, path);
    if (value.is_number()) CheckNumber(rules, value, path);
    if (value.is_object()) CheckSize({}, rules.max_properties, value.size(), "properties", path);
  }

  // Reports the first constraint that a string violates.
  void CheckText(const SchemaRules& rules, const json& value, const std::string& path) {
    const auto& text = value.get_ref<const std::string&>();
    const auto length = static_cast<int64_t>(CountCharacters(text));
    if (rules.max_length && length > *rules.max_length) {
      errors_->push_back({FieldError::Type::kTooLong,
                          path,
                          {},
                          "may not be more than " + std::to_string(*rules.max_length) + " bytes"});
    } else if (rules.min_length && length < *rules.min_length) {
      AddInvalid(path, value,
                 "should be at least " + std::to_string(*rules.min_length) + " chars long");
    } else if (rules.regex != nullptr && !rules.regex->Matches(text)) {
      AddInvalid(path, value, "should match '" + rules.pattern + "'");
    }
  }

  void CheckNumber(const SchemaRules& rules, const json& value, const std::string& path) {
    if (rules.maximum.is_number() && value > rules.maximum)
      AddInvalid(path, value, "should be less than or equal to " + NumberText(rules.maximum));
    if (rules.minimum.is_number() && value < rules.minimum)
      AddInvalid(path, value, "should be greater than or equal to " + NumberText(rules.minimum));
  }

  void CheckSize(const std::optional<int64_t>& least, const std::optional<int64_t>& most,
                 size_t size, std::string_view what, const std::string& path) {
    const auto count = static_cast<int64_t>(size);
    if (least && count < *least)
      AddInvalid(path, count,
                 "should have at least " + std::to_string(*least) + " " + std::string(what));
    if (most && count > *most)
      errors_->push_back({FieldError::Type::kTooMany, path, std::to_string(count),
                          "must have at most " + std::to_string(*most) + " items"});
  }

  void CheckAllowed(const SchemaRules& rules, const json& value, const std::string& path) {
    if (rules.allowed.empty()) return;
    std::vector<std::string> words;
    for (const json& allowed : rules.allowed) {
      if (allowed == value) return;
      words.push_back(allowed.is_string() ? DocumentText(allowed) : Quoted(DocumentText(allowed)));
    }
    errors_->push_back({FieldError::Type::kNotSupported, path, DocumentText(value),
                        "supported values: " + Join(words, ", ")});
  }

  void WalkObject(const Schema& schema, const json& value, const json* old,
                  const std::string& path) {
    const auto child = [&](const std::string& key) {
      return path.empty() ? key : api::Child(path, key);
    };
    for (const Slot& slot : schema.properties)
      if (slot.required && !value.contains(slot.name))
        errors_->push_back(FieldError::Required(child(slot.name)));
    if (schema.embedded_resource && !path.empty()) {
      for (const char* name : {"apiVersion", "kind"})
        if (!value.contains(name)) errors_->push_back(FieldError::Required(child(name)));
    }
    for (const auto& [key, field] : value.items())
      if (const Slot* slot = schema.SlotOf(key))
        Walk(*slot->schema, field, Member(old, key), child(key));
    if (const auto metadata = value.find("metadata");
        schema.metadata_rules != nullptr && metadata != value.end())
      Walk(*schema.metadata_rules, *metadata, Member(old, "metadata"), child("metadata"));
  }

  static const json* Member(const json* object, const std::string& key) {
    if (object == nullptr || !object->is_object()) return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
  }

  std::vector<FieldError>* errors_;
};

}  // namespace

std::vector<FieldError> ValidateValues(const Schema& schema, const json& document,
                                       const json* old) {
  std::vector<FieldError> errors;
  Validator(&errors).Walk(schema, document, old, {});
  return errors;
}

std::vector<FieldError> Validate(const Schema& schema, const json& document, const json* old) {
  std::vector<FieldError> errors = ValidateValues(schema, document, old);
  std::vector<FieldError> before;
  if (old != nullptr) ValidateLists(schema, *old, {}, &before);
  if (before.empty()) ValidateLists(schema, document, {}, &errors);
  return errors;
}

}  // namespace berth::apiserver
