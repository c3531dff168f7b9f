// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/patch/topology.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class TypedCheck {
 public:
  void Walk(const Schema& schema, const json& value, const std::string& path) {
    if (value.is_null()) return;
    switch (ShapeOf(schema, value)) {
      case Shape::kScalar:
        return CheckScalar(schema, value, path);
      case Shape::kMap:
        if (!value.is_object()) return Reject(path, "a map", value);
        return WalkMap(schema, value, path);
      case Shape::kList:
        if (!value.is_array()) return Reject(path, "a list", value);
        return WalkList(schema, value, path);
    }
  }

  Result<void> Take() {
    if (errors_.empty()) return {};
    if (errors_.size() == 1) return Fail(Reason::kInvalid, errors_.front());
    std::string text = "errors:";
    for (const std::string& error : errors_) text += "\n  " + error;
    return Fail(Reason::kInvalid, text);
  }

 private:
  void Add(const std::string& path, const std::string& what) {
    errors_.push_back(path.empty() ? what : path + ": " + what);
  }

  void CheckScalar(const Schema& schema, const json& value, const std::string& path) {
    const bool is_number = schema.type == ValueType::kInteger || schema.type == ValueType::kNumber;
    // A string with a format may be any scalar here.
    const bool is_text = schema.type == ValueType::kString && schema.format.empty();
    if (is_number && !value.is_number()) return Reject(path, "a number", value);
    if (is_text && !value.is_string()) return Reject(path, "a string", value);
    if (schema.type == ValueType::kBoolean && !value.is_boolean())
      return Reject(path, "a boolean", value);
    if (value.is_structured()) Reject(path, "a scalar", value);
  }

  void Reject(const std::string& path, const char* expected, const json& value) {
    Add(path, std::string("expected ") + expected + ", got " + DocumentText(value));
  }

  void WalkMap(const Schema& schema, const json& map, const std::string& path) {
    for (const auto& [key, child] : map.items()) {
      const std::string at = path + "." + key;
      if (const Schema* type = schema.TypeOf(key)) {
        Walk(*type, child, at);
      } else {
        return Add(at, "field not declared in schema");
      }
    }
  }

  void WalkList(const Schema& schema, const json& list, const std::string& path) {
    std::set<PathElement> seen;
    for (size_t i = 0; i < list.size(); ++i) {
      std::string at = "[" + std::to_string(i) + "]";
      if (schema.list_type != ListType::kAtomic) {
        const auto element = ItemElement(schema, list[i]);
        if (!element)
          return Add(path, "element " + std::to_string(i) + ": " + element.error().message());
        at = element->ToString();
        if (!seen.insert(*element).second) Add(path, "duplicate entries for key " + at);
      }
      if (schema.items) Walk(*schema.items.schema, list[i], path + at);
    }
  }

  std::vector<std::string> errors_;
};

}  // namespace

Result<void> CheckTyped(const Schema& schema, const json& document) {
  TypedCheck check;
  check.Walk(schema, document, {});
  return check.Take();
}

}  // namespace berth::apiserver
