// SPDX-License-Identifier: Apache-2.0
#include "crds/bounds.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "base/check.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "base/quantity.h"
#include "base/regex.h"
#include "base/strings.h"

namespace berth::crds {
namespace {

using api::FieldError;
using json::Type;

constexpr const char* kNoField = "unknown field";

// Counts code points, like JSON schema.
int64_t Characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

class Checker {
 public:
  void Check(const Type& type, const json::FieldOptions& options, const void* value,
             const std::string& path) {
    switch (type.kind) {
      case Type::Kind::kInt32:
        CheckNumber(*static_cast<const int32_t*>(value), options, path);
        return;
      case Type::Kind::kInt64:
        CheckNumber(*static_cast<const int64_t*>(value), options, path);
        return;
      case Type::Kind::kString:
        CheckString(*static_cast<const std::string*>(value), options, path);
        return;
      case Type::Kind::kOptional:
        if (const void* content = type.get(value)) Check(type.element(), options, content, path);
        return;
      case Type::Kind::kList:
        CheckList(type, options, value, path);
        return;
      case Type::Kind::kMap:
        CheckMap(type, options, value, path);
        return;
      case Type::Kind::kObject:
        CheckObject(type, value, path);
        return;
      case Type::Kind::kScalar:  // malformed values are rejected during decoding
        if (type.format == json::ScalarFormat::kQuantity) {
          CheckAmount(*static_cast<const Quantity*>(value), path);
        }
        return;
      case Type::Kind::kBool:
      case Type::Kind::kDouble:
      case Type::Kind::kRaw:
        return;
    }
  }

  std::vector<FieldError> Take() { return std::move(errors_); }

 private:
  void CheckNumber(int64_t number, const json::FieldOptions& options, const std::string& path) {
    const bool low = options.minimum != json::kUnbounded && number < options.minimum;
    const bool high = options.maximum != json::kUnbounded && number > options.maximum;
    if (!low && !high) return;
    std::string allowed = "must be ";
    if (options.maximum == json::kUnbounded) {
      allowed += "at least " + std::to_string(options.minimum);
    } else if (options.minimum == json::kUnbounded) {
      allowed += "at most " + std::to_string(options.maximum);
    } else {
      allowed +=
          "from " + std::to_string(options.minimum) + " to " + std::to_string(options.maximum);
    }
    errors_.push_back(FieldError::Invalid(path, number, std::move(allowed)));
  }

  // Source: kubernetes pkg/apis/core/validation/validation.go, ValidateNonnegativeQuantity. Values
  // above the schedulers' int64 would be truncated.
  void CheckAmount(const Quantity& amount, const std::string& path) {
    static const Quantity kTooMuch = Quantity::FromValue(std::numeric_limits<int64_t>::max());
    if (amount < Quantity()) {
      errors_.push_back(
          FieldError::Invalid(path, amount.ToString(), "must be greater than or equal to 0"));
    } else if (amount >= kTooMuch) {
      errors_.push_back(FieldError::Invalid(path, amount.ToString(), "must be less than 8Ei"));
    }
  }

  bool CheckLength(std::string_view text, int64_t limit, const std::string& path) {
    const int64_t length = Characters(text);
    if (length <= limit) return true;
    std::string shown(text.substr(0, 40));
    errors_.push_back(FieldError::Invalid(path, ReplaceInvalidUtf8(shown) + "...",
                                          "must have at most " + std::to_string(limit) +
                                              " characters, has " + std::to_string(length)));
    return false;
  }

  void CheckString(const std::string& text, const json::FieldOptions& options,
                   const std::string& path) {
    if (text.empty()) return;  // absent; CheckObject checks required fields
    if (!CheckLength(text, BoundsOf(options).max_length, path)) return;
    const auto words = Words(options);
    if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
      errors_.push_back(FieldError::NotSupported(path, text, words));
    }
    if (!options.pattern.empty() && !FitsPattern(text, options.pattern)) {
      errors_.push_back(
          FieldError::Invalid(path, text, "must match " + std::string(options.pattern)));
    }
  }

  void CheckCount(int64_t count, const json::FieldOptions& options, const std::string& path) {
    const int64_t limit = BoundsOf(options).max_items;
    if (count <= limit) return;
    errors_.push_back(FieldError::Invalid(
        path, count, "must have at most " + std::to_string(limit) + " entries"));
  }

  void CheckList(const Type& type, const json::FieldOptions& options, const void* value,
                 const std::string& path) {
    const size_t size = type.size(value);
    CheckCount(static_cast<int64_t>(size), options, path);
    const Type& element = type.element();
    std::set<std::string> seen;
    for (size_t i = 0; i < size; ++i) {
      const void* item = type.at(value, i);
      const std::optional<Key> key = KeyOf(element, options, item);
      const std::string at =
          key && !key->path.empty() ? path + "[" + key->path + "]" : api::Index(path, i);
      if (key && !seen.insert(key->text).second) {
        errors_.push_back(FieldError::Duplicate(at, key->text));
      }
      CheckItem(element, options, item, at);
    }
  }

  void CheckMap(const Type& type, const json::FieldOptions& options, const void* value,
                const std::string& path) {
    struct Context {
      Checker& checker;
      const Type& element;
      const json::FieldOptions& options;
      const std::string& path;
      int64_t count = 0;
    } context{*this, type.element(), options, path};
    type.each(value, &context, [](void* raw, const std::string& key, const void* item) {
      auto& at = *static_cast<Context*>(raw);
      ++at.count;
      at.checker.CheckItem(at.element, at.options, item, json::MapEntryPath(at.path, key));
    });
    CheckCount(context.count, options, path);
  }

  void CheckItem(const Type& element, const json::FieldOptions& options, const void* item,
                 const std::string& path) {
    if (element.kind == Type::Kind::kString) {
      CheckLength(*static_cast<const std::string*>(item), BoundsOf(options).item_max_length, path);
    } else {
      Check(element, json::FieldOptions{}, item, path);
    }
  }

  void CheckObject(const Type& type, const void* value, const std::string& path) {
    for (const Type::Field& field : type.fields) {
      const std::string at = api::Child(path, field.name);
      const Type& content = field.type();
      if (field.options.only_in_files) {
        if (!content.empty(field.In(value))) errors_.push_back(FieldError::Forbidden(at, kNoField));
      } else if (field.options.required && HasEmptyForm(content) &&
                 content.empty(field.In(value))) {
        errors_.push_back(FieldError::Required(at));
      } else {
        Check(content, field.options, field.In(value), at);
      }
    }
  }

  // A required number or struct may be zero or empty; text and lists may not.
  static bool HasEmptyForm(const Type& type) {
    return type.kind == Type::Kind::kString || type.kind == Type::Kind::kScalar ||
           type.kind == Type::Kind::kList || type.kind == Type::Kind::kOptional;
  }

  // Key is the key of an element.
  struct Key {
    std::string text;  // "x"
    std::string path;  // "name=x" in a list of type map
  };

  // Returns nullopt if the list has no keys, or the element none.
  static std::optional<Key> KeyOf(const Type& element, const json::FieldOptions& options,
                                  const void* item) {
    if (options.list_type == json::ListType::kSet && element.kind == Type::Kind::kString) {
      return Key{.text = *static_cast<const std::string*>(item), .path = {}};
    }
    std::optional<Key> key;
    for (const std::string_view name : MapKeys(options)) {
      const Type::Field* field = element.FindField(name);
      const auto& text = *static_cast<const std::string*>(field->In(item));
      if (text.empty()) return std::nullopt;
      const std::string_view separator = key ? "," : "";
      if (!key) key.emplace();
      key->text.append(separator).append(text);
      key->path.append(separator).append(name).append("=").append(json::PathName(text));
    }
    return key;
  }

  std::vector<FieldError> errors_;
};

int64_t Or(int64_t stated, int64_t general) {
  return stated == json::kUnbounded ? general : stated;
}

}  // namespace

Bounds BoundsOf(const json::FieldOptions& options) {
  return {.max_items = Or(options.max_items, kGeneralBounds.max_items),
          .max_length = Or(options.max_length, kGeneralBounds.max_length),
          .item_max_length = Or(options.item_max_length, kGeneralBounds.item_max_length)};
}

bool FitsPattern(std::string_view text, std::string_view pattern) {
  const auto regex = Regex::Compile(pattern);
  BERTH_CHECK(regex.has_value(), "a described pattern does not compile");
  return (*regex)->Matches(text);
}

std::vector<std::string_view> MapKeys(const json::FieldOptions& options) {
  if (options.list_type != json::ListType::kMap) return {};
  return Split(options.map_keys, ',');
}

std::vector<std::string_view> Words(const json::FieldOptions& options) {
  if (options.one_of.empty()) return {};
  return Split(options.one_of, '|');
}

std::vector<FieldError> CheckBounds(const Type& type, const void* value, std::string_view path) {
  Checker checker;
  checker.Check(type, json::FieldOptions{}, value, std::string(path));
  return checker.Take();
}

}  // namespace berth::crds
