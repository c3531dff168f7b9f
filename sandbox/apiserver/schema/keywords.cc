// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/keywords.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using api::Child;
using api::FieldError;
using nlohmann::json;

const json* Find(const json& source, const char* keyword) {
  const auto at = source.find(keyword);
  return at == source.end() || at->is_null() ? nullptr : &*at;
}

std::string Text(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

bool HasLineBreak(std::string_view text) { return text.find_first_of("\r\n") != text.npos; }

class KeywordCheck {
 public:
  explicit KeywordCheck(std::vector<FieldError>* errors) : errors_(errors) {}

  void Walk(const json& s, const std::string& path) {
    if (!s.is_object()) return;
    CheckSupported(s, path);
    CheckMap(s, path);
    WalkBelow(s, path);
    CheckList(s, path);
    if (const json* rules = Find(s, "x-kubernetes-validations"))
      for (size_t i = 0; i < rules->size(); ++i)
        CheckRule((*rules)[i], api::Index(Child(path, "x-kubernetes-validations"), i));
  }

 private:
  void CheckSupported(const json& s, const std::string& path) {
    static constexpr const char* kUnsupported[] = {
        "id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"};
    for (const char* keyword : kUnsupported) {
      const json* value = Find(s, keyword);
      if (value == nullptr || ((value->is_string() || value->is_structured()) && value->empty()) ||
          *value == "")
        continue;
      errors_->push_back(
          FieldError::Forbidden(Child(path, keyword), std::string(keyword) + " is not supported"));
    }
  }

  void CheckMap(const json& s, const std::string& path) {
    const json* additional = Find(s, "additionalProperties");
    const json* properties = Find(s, "properties");
    const bool both = additional != nullptr && properties != nullptr && !properties->empty();
    if (both && *additional != true)
      errors_->push_back(
          FieldError::Forbidden(Child(path, "additionalProperties"),
                                "additionalProperties and properties are mutual exclusive"));
    if (const json* keeps = Find(s, "x-kubernetes-preserve-unknown-fields");
        keeps != nullptr && *keeps == false)
      errors_->push_back(
          FieldError::InvalidJson(Child(path, "x-kubernetes-preserve-unknown-fields"), "false",
                                  "must be true or undefined"));
  }

  void WalkBelow(const json& s, const std::string& path) {
    for (const char* keyword : {"additionalProperties", "not", "items"})
      if (const json* below = Find(s, keyword)) Walk(*below, Child(path, keyword));
    if (const json* properties = Find(s, "properties"))
      for (const auto& [name, property] : properties->items())
        Walk(property, Child(path, "properties") + '[' + name + ']');
    for (const char* junctor : {"allOf", "oneOf", "anyOf"})
      if (const json* list = Find(s, junctor))
        for (size_t i = 0; i < list->size(); ++i)
          Walk((*list)[i], api::Index(Child(path, junctor), i));
  }

  void CheckList(const json& s, const std::string& path) {
    const std::string type = Text(s, "x-kubernetes-list-type");
    const json* items = Find(s, "items");
    if (items == nullptr || !items->is_object() || (type != "set" && type != "map")) return;
    const std::string at = Child(path, "items");
    if (const json* nullable = Find(*items, "nullable"); nullable != nullptr && *nullable == true)
      errors_->push_back(FieldError::Forbidden(
          Child(at, "nullable"), "cannot be nullable when x-kubernetes-list-type is " + type));
    if (type == "set")
      CheckSetItems(*items, at);
    else
      CheckMapItems(s, *items, at);
  }

  void CheckSetItems(const json& items, const std::string& path) {
    const std::string type = Text(items, "type");
    const char* keyword = type == "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
    const std::string topology = Text(items, keyword);
    const bool whole = topology == "atomic" || (type == "array" && topology.empty());
    if ((type != "array" && type != "object") || whole) return;
    errors_->push_back(FieldError::InvalidJson(
        Child(path, keyword), Find(items, keyword) == nullptr ? "null" : json(topology).dump(),
        "must be atomic as item of a list with x-kubernetes-list-type=set"));
  }

  void CheckMapItems(const json& s, const json& items, const std::string& path) {
    const std::string type = Text(items, "type");
    if (type != "object")
      return errors_->push_back(
          FieldError::Invalid(Child(path, "type"), type,
                              "must be object if parent array's x-kubernetes-list-type is map"));
    const json* keys = Find(s, "x-kubernetes-list-map-keys");
    const json* properties = Find(items, "properties");
    if (keys == nullptr || properties == nullptr) return;
    for (const json& key : *keys) {
      const json* property = Find(*properties, key.get_ref<const std::string&>().c_str());
      if (property == nullptr) continue;
      const std::string at = Child(path, "properties") + '[' + key.get<std::string>() + ']';
      if (const std::string held = Text(*property, "type"); held == "array" || held == "object")
        errors_->push_back(FieldError::Invalid(
            Child(at, "type"), type,
            "must be a scalar type if parent array's x-kubernetes-list-type is map"));
      if (const json* nullable = Find(*property, "nullable");
          nullable != nullptr && *nullable == true)
        errors_->push_back(FieldError::Forbidden(
            Child(at, "nullable"),
            "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
    }
  }

  void CheckRule(const json& rule, const std::string& path) {
    static constexpr std::string_view kReasons[] = {"FieldValueDuplicate", "FieldValueForbidden",
                                                    "FieldValueInvalid", "FieldValueRequired"};
    CheckRuleText(rule, path);
    if (const std::string text = Text(rule, "messageExpression");
        !text.empty() && TrimSpace(text).empty())
      errors_->push_back(FieldError::Required(Child(path, "messageExpression"),
                                              "messageExpression must be non-empty if specified"));
    const std::string reason = Text(rule, "reason");
    if (Find(rule, "reason") != nullptr &&
        std::find(std::begin(kReasons), std::end(kReasons), reason) == std::end(kReasons))
      errors_->push_back(FieldError::NotSupported(Child(path, "reason"), reason, kReasons));
    const std::string field = Text(rule, "fieldPath");
    if (!field.empty() && TrimSpace(field).empty())
      errors_->push_back(
          FieldError::Invalid(Child(path, "fieldPath"), field, "must be non-empty if specified"));
    if (HasLineBreak(field))
      errors_->push_back(
          FieldError::Invalid(Child(path, "fieldPath"), field, "must not contain line breaks"));
  }

  void CheckRuleText(const json& rule, const std::string& path) {
    const std::string text = Text(rule, "rule"), message = Text(rule, "message");
    const std::string_view trimmed = TrimSpace(message);
    if (TrimSpace(text).empty()) {
      errors_->push_back(FieldError::Required(Child(path, "rule"), "rule is not specified"));
    } else if (!message.empty() && trimmed.empty()) {
      errors_->push_back(
          FieldError::Invalid(Child(path, "message"), message, "must be non-empty if specified"));
    } else if (HasLineBreak(trimmed)) {
      errors_->push_back(
          FieldError::Invalid(Child(path, "message"), message, "must not contain line breaks"));
    } else if (HasLineBreak(TrimSpace(text)) && trimmed.empty()) {
      errors_->push_back(FieldError::Required(
          Child(path, "message"), "message must be specified if rule contains line breaks"));
    }
  }

  std::vector<FieldError>* errors_;
};

}  // namespace

std::vector<FieldError> CheckKeywords(const json& source, const std::string& path) {
  std::vector<FieldError> errors;
  KeywordCheck(&errors).Walk(source, path);
  return errors;
}

}  // namespace berth::apiserver
