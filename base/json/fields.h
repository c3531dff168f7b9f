// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>

namespace berth::json {

// ValidationRule is one CEL rule of a CustomResourceDefinition with the message a user reads when
// it fails.
struct ValidationRule {
  std::string_view rule;
  std::string_view message;
};

enum class ListType : uint8_t { kAtomic, kSet, kMap };

inline constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::min();

// FieldOptions is what a field says besides its name and type: documentation and the bounds of its
// schema. Decoding does not read the bounds; crds/ turns them into the CustomResourceDefinition and
// into the offline validation, so both agree.
struct FieldOptions {
  std::string_view doc;
  std::string_view default_json;  // JSON text; empty = the schema has no default
  std::string_view one_of;        // allowed words, separated by '|'; empty = any
  std::string_view pattern;       // RE2 syntax, anchored by its author
  std::string_view map_keys;      // for ListType::kMap: key fields, separated by ','
  ListType list_type = ListType::kAtomic;
  int64_t minimum = kUnbounded;
  int64_t maximum = kUnbounded;
  int64_t min_length = kUnbounded;  // of strings, in characters
  int64_t max_length = kUnbounded;
  int64_t item_max_length = kUnbounded;  // of the strings in a list, or of the values in a map
  int64_t max_items = kUnbounded;        // of lists, or of the entries of a map
  bool required = false;
  bool atomic = false;            // of a map: it has one owner as a whole, not one for each key
  bool preserve_unknown = false;  // json::Raw only: any content
  std::array<ValidationRule, 3> rules{};
};

// FieldSpec is one line of a struct's description; its setters are chained: Field("weight",
// &T::weight).Min(0).Doc("…").
template <class Class, class Member>
struct FieldSpec {
  std::string_view name;
  Member Class::*member;
  FieldOptions options{};

  constexpr FieldSpec Doc(std::string_view text) const { return With(&FieldOptions::doc, text); }
  constexpr FieldSpec Default(std::string_view json) const {
    return With(&FieldOptions::default_json, json);
  }
  constexpr FieldSpec OneOf(std::string_view words) const {
    return With(&FieldOptions::one_of, words);
  }
  constexpr FieldSpec Pattern(std::string_view regex) const {
    return With(&FieldOptions::pattern, regex);
  }
  constexpr FieldSpec ListMap(std::string_view keys) const {
    return With(&FieldOptions::map_keys, keys).With(&FieldOptions::list_type, ListType::kMap);
  }
  constexpr FieldSpec ListSet() const { return With(&FieldOptions::list_type, ListType::kSet); }
  constexpr FieldSpec Min(int64_t value) const { return With(&FieldOptions::minimum, value); }
  constexpr FieldSpec Max(int64_t value) const { return With(&FieldOptions::maximum, value); }
  constexpr FieldSpec MinLength(int64_t n) const { return With(&FieldOptions::min_length, n); }
  constexpr FieldSpec MaxLength(int64_t n) const { return With(&FieldOptions::max_length, n); }
  constexpr FieldSpec ItemMaxLength(int64_t n) const {
    return With(&FieldOptions::item_max_length, n);
  }
  constexpr FieldSpec MaxItems(int64_t n) const { return With(&FieldOptions::max_items, n); }
  constexpr FieldSpec Required() const { return With(&FieldOptions::required, true); }
  constexpr FieldSpec Atomic() const { return With(&FieldOptions::atomic, true); }
  constexpr FieldSpec PreserveUnknown() const {
    return With(&FieldOptions::preserve_unknown, true);
  }
  constexpr FieldSpec Rule(std::string_view rule, std::string_view message) const {
    FieldSpec spec = *this;
    for (ValidationRule& slot : spec.options.rules) {
      if (slot.rule.empty()) {
        slot = {rule, message};
        break;
      }
    }
    return spec;
  }

 private:
  template <class Value>
  constexpr FieldSpec With(Value FieldOptions::*option, Value value) const {
    FieldSpec spec = *this;
    spec.options.*option = value;
    return spec;
  }
};

template <class Class, class Member>
constexpr auto Field(std::string_view name, Member Class::*member) {
  return FieldSpec<Class, Member>{name, member};
}

// ConstantSpec is a field whose value the type itself fixes: apiVersion and kind. It is always
// written; strict decoding refuses another value where one is given.
struct ConstantSpec {
  std::string_view name;
  std::string_view value;
};

constexpr ConstantSpec Constant(std::string_view name, std::string_view value) {
  return {name, value};
}

// Object is what Fields() returns: the description of a struct, in the order a reader expects to
// see the fields.
template <class... Specs>
struct ObjectSpec {
  std::tuple<Specs...> specs;
  std::array<ValidationRule, 12> rules{};
  bool atomic = false;

  // Atomic says that such an object has one owner as a whole: nobody adds a field to what another
  // wrote.
  constexpr ObjectSpec Atomic() const {
    ObjectSpec spec = *this;
    spec.atomic = true;
    return spec;
  }

  constexpr ObjectSpec Rule(std::string_view rule, std::string_view message) const {
    ObjectSpec spec = *this;
    for (ValidationRule& slot : spec.rules) {
      if (slot.rule.empty()) {
        slot = {rule, message};
        break;
      }
    }
    return spec;
  }
};

template <class... Specs>
constexpr ObjectSpec<Specs...> Object(Specs... specs) {
  return {std::tuple<Specs...>(specs...)};
}

}  // namespace berth::json
