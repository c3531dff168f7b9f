// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace berth::json {

// ValidationRule is one CEL rule of a CustomResourceDefinition with the message shown when it
// fails.
struct ValidationRule {
  std::string_view rule;
  std::string_view message;
};

enum class ListType : uint8_t { kAtomic, kSet, kMap };

inline constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::min();

// FieldOptions holds a field's documentation and its schema bounds. Decoding ignores the bounds.
// crds/ generates both the CustomResourceDefinition and the offline validation from them, so that
// the two agree.
struct FieldOptions {
  std::string_view doc;
  std::string_view default_json;  // JSON text; empty: no default in the schema
  std::string_view one_of;        // allowed values, separated by '|'; empty: any
  std::string_view pattern;       // RE2 syntax; must contain its own anchors
  std::string_view map_keys;      // for ListType::kMap: key fields, separated by ','
  ListType list_type = ListType::kAtomic;
  int64_t minimum = kUnbounded;
  int64_t maximum = kUnbounded;
  int64_t min_length = kUnbounded;  // for strings, in characters
  int64_t max_length = kUnbounded;
  int64_t item_max_length = kUnbounded;  // for the strings in a list or the values in a map
  int64_t max_items = kUnbounded;        // for lists, or for the entries of a map
  bool required = false;
  bool atomic = false;            // for a map: one field manager owns all of it, not single keys
  bool preserve_unknown = false;  // json::Raw only: any content
  bool only_in_files = false;     // read and written, but not part of a CustomResourceDefinition
  std::array<ValidationRule, 3> rules{};
};

struct Type;

template <class T>
const Type& TypeOf();

// TypeRef refers to a Type through a function, so that a struct can contain a list of itself.
using TypeRef = const Type& (*)();

// FieldSpec describes one field of a struct. Its setters are chained: Field("weight",
// &T::weight).Min(0).Doc("…").
struct FieldSpec {
  std::string_view name;
  size_t offset;      // of the member in its struct
  TypeRef type;       // of the member
  const void* owner;  // the struct that has the member: &internal::kOwner<T>
  FieldOptions options{};

  FieldSpec& Doc(std::string_view text);
  FieldSpec& Default(std::string_view json);
  FieldSpec& OneOf(std::string_view words);
  FieldSpec& Pattern(std::string_view regex);
  FieldSpec& ListMap(std::string_view keys);
  FieldSpec& ListSet();
  FieldSpec& Min(int64_t value);
  FieldSpec& Max(int64_t value);
  FieldSpec& MinLength(int64_t n);
  FieldSpec& MaxLength(int64_t n);
  FieldSpec& ItemMaxLength(int64_t n);
  FieldSpec& MaxItems(int64_t n);
  FieldSpec& Required();
  FieldSpec& Atomic();
  FieldSpec& PreserveUnknown();
  FieldSpec& OnlyInFiles();
  FieldSpec& Rule(std::string_view rule, std::string_view message);
};

namespace internal {

// kOwner<T> has the size of a T. Its address identifies the struct.
template <class T>
struct alignas(T) Room {
  std::byte bytes[sizeof(T)];
};
template <class T>
inline constinit Room<T> kOwner{};  // NOLINT(readability-identifier-naming): never written to

template <class Class, class Member>
size_t OffsetOf(Member Class::*member) {
  const auto* object = reinterpret_cast<const Class*>(&kOwner<Class>);
  return static_cast<size_t>(reinterpret_cast<const std::byte*>(&(object->*member)) -
                             kOwner<Class>.bytes);
}

template <class Class, class Base>
size_t OffsetOfBase() {
  const Base* base = reinterpret_cast<const Class*>(&kOwner<Class>);
  return static_cast<size_t>(reinterpret_cast<const std::byte*>(base) - kOwner<Class>.bytes);
}

FieldSpec MakeField(std::string_view name, size_t offset, TypeRef type, const void* owner);

}  // namespace internal

template <class Class, class Member>
FieldSpec Field(std::string_view name, Member Class::*member) {
  return internal::MakeField(name, internal::OffsetOf(member), &TypeOf<Member>,
                             &internal::kOwner<Class>);
}

// BaseSpec includes the description of a base class; returned by Inherit<T, Base>().
struct BaseSpec {
  TypeRef type;
  size_t offset;  // of the base in T
  const void* owner;
};

template <class T, class Base>
BaseSpec Inherit() {
  return {&TypeOf<Base>, internal::OffsetOfBase<T, Base>(), &internal::kOwner<T>};
}

// ConstantSpec is a field with a value fixed by the type: apiVersion and kind. It is always
// written. Strict decoding rejects a different value.
struct ConstantSpec {
  std::string_view name;
  std::string_view value;
};

constexpr ConstantSpec Constant(std::string_view name, std::string_view value) {
  return {name, value};
}

// ObjectSpec is the description of a struct. Fields are in the order of the documentation.
struct ObjectSpec {
  std::vector<FieldSpec> fields;
  std::vector<ConstantSpec> constants;
  std::vector<ValidationRule> rules;
  bool atomic = false;

  // Marks the object as atomic: one field manager owns all of it, and other managers cannot add
  // fields.
  ObjectSpec& Atomic();
  ObjectSpec& Rule(std::string_view rule, std::string_view message);
  void Add(const FieldSpec& field);
  void Add(const ConstantSpec& constant);
  void Add(const BaseSpec& base);
};

// Builds a description from Field, Constant and Inherit entries.
template <class... Specs>
ObjectSpec Object(const Specs&... specs) {
  ObjectSpec object;
  (object.Add(specs), ...);
  return object;
}

}  // namespace berth::json
