// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/json/fields.h"
#include "base/json/scalar.h"

namespace berth::json {

// Raw is unparsed JSON text, such as the arguments of a plugin or a field that is passed through.
// Empty means absent.
struct Raw {
  std::string text;
  bool operator==(const Raw&) const = default;
};

// Type describes a C++ type at run time. It is built once from the struct's description (see
// Described below). Decoding, encoding, CRD schemas, field-path validation, documentation and diffs
// walk it. So they need no templates, and each struct is described once.
//
// Invariants: a Type lives as long as the process and never changes. `empty` returns true for
// values that encoding omits.
struct Type {
  enum class Kind : uint8_t {
    kBool,
    kInt32,
    kInt64,
    kDouble,
    kString,
    kScalar,    // a TextScalar
    kOptional,  // std::optional, Rare or std::shared_ptr<const T>
    kList,      // std::vector
    kMap,       // std::map with string keys
    kObject,    // a Described struct
    kRaw,
  };
  using Ref = TypeRef;

  struct Field {
    std::string_view name;
    size_t offset;
    Ref type;
    FieldOptions options;
    bool always_written;  // the default is not empty, so omitting the field would change its value
    // always_written or required: such a field is written even as "", 0 or false. An unset time or
    // object has no empty value to write.
    bool written_when_empty;

    void* In(void* object) const { return static_cast<std::byte*>(object) + offset; }
    const void* In(const void* object) const {
      return static_cast<const std::byte*>(object) + offset;
    }
    // Reports whether encoding `object` writes this field.
    bool IsWritten(const void* object) const;
  };

  Kind kind;
  bool (*empty)(const void* value);

  // kScalar
  ScalarFormat format = ScalarFormat::kString;
  Result<void> (*parse)(std::string_view text, void* value) = nullptr;
  std::string (*print)(const void* value) = nullptr;

  // kOptional, kList, kMap
  Ref element = nullptr;
  void (*clear)(void* value) = nullptr;             // kList, kMap: removes all elements
  const void* (*get)(const void* value) = nullptr;  // kOptional: the content, or nullptr
  // Adds a default element and returns it; `key` for kMap only.
  void* (*add)(void* value, std::string&& key) = nullptr;
  size_t (*size)(const void* value) = nullptr;               // kList
  const void* (*at)(const void* value, size_t i) = nullptr;  // kList
  using Visit = void (*)(void* context, const std::string& key, const void* value);
  void (*each)(const void* value, void* context, Visit visit) = nullptr;  // kMap, in key order

  // kObject
  std::vector<Field> fields;            // in described order
  std::vector<ConstantSpec> constants;  // apiVersion, kind
  std::vector<ValidationRule> rules;
  bool atomic = false;  // one field manager owns all of it

  // Returns the field with exactly this name, or nullptr. `hint` is the index to try first and is
  // moved past the match, so lookups in described order take constant time.
  const Field* FindField(std::string_view name, size_t& hint) const;
  const Field* FindField(std::string_view name) const {
    size_t hint = 0;
    return FindField(name, hint);
  }

  // Returns all names, including constants; for messages.
  std::vector<std::string> FieldNames() const;
};

inline bool Type::Field::IsWritten(const void* object) const {
  return written_when_empty || !type().empty(In(object));
}

// Described is a struct with a field description. It declares
//
//   static const json::Type& JsonType();
//
// and defines it in its source, so that its description is compiled once:
//
//   const json::Type& Toleration::JsonType() {
//     static const json::Type type = json::Describe<Toleration>(json::Object(
//         json::Field("key", &Toleration::key), json::Field("operator", &Toleration::op)));
//     return type;
//   }
//
// A struct used by one or two source files, such as the arguments of a plugin, or a template, may
// have the description in its body instead:
//
//   static auto Fields() { return json::Object(...); }
template <class T>
concept Described = requires {
  T::JsonType();
}
|| requires { T::Fields(); };

// Builds the Type of a struct from its description, for JsonType(). Requires: every field is a
// member of T itself.
template <class T>
Type Describe(const ObjectSpec& spec);

namespace internal {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};
template <class T>
struct IsShared : std::false_type {};
template <class T>
struct IsShared<std::shared_ptr<const T>> : std::true_type {};

// OptionalLike is std::optional or a type with its interface (Rare).
template <class T>
concept OptionalLike = requires(T& value, const T& constant) {
  { constant.has_value() } -> std::same_as<bool>;
  { *constant } -> std::same_as<const typename T::value_type&>;
  { value.emplace() } -> std::same_as<typename T::value_type&>;
};

template <class T>
const T& As(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& As(void* value) {
  return *static_cast<T*>(value);
}

bool ObjectIsEmpty(const Type& type, const void* value);

template <class T>
Type MakePlain(Type::Kind kind) {
  return {.kind = kind, .empty = [](const void* value) { return As<T>(value) == T{}; }};
}

template <TextScalar T>
Type MakeScalar() {
  return {.kind = Type::Kind::kScalar,
          .empty = [](const void* value) { return As<T>(value).IsEmpty(); },
          .format = T::kFormat,
          .parse = [](std::string_view text, void* value) -> Result<void> {
            BERTH_TRY(As<T>(value), T::Parse(text));
            return {};
          },
          .print = [](const void* value) -> std::string { return As<T>(value).ToString(); }};
}

template <class T>
Type MakeOptional() {
  using Content = typename T::value_type;
  return {.kind = Type::Kind::kOptional,
          .empty = [](const void* value) { return !As<T>(value).has_value(); },
          .element = &TypeOf<Content>,
          .get = [](const void* value) -> const void* {
            const T& optional = As<T>(value);
            return optional ? &*optional : nullptr;
          },
          .add = [](void* value, std::string&&) -> void* { return &As<T>(value).emplace(); }};
}

template <class T>
Type MakeShared() {
  using Content = std::remove_const_t<typename T::element_type>;
  return {.kind = Type::Kind::kOptional,
          .empty = [](const void* value) { return As<T>(value) == nullptr; },
          .element = &TypeOf<Content>,
          .get = [](const void* value) -> const void* { return As<T>(value).get(); },
          .add = [](void* value, std::string&&) -> void* {
            auto content = std::make_shared<Content>();
            void* address = content.get();
            As<T>(value) = std::move(content);
            return address;
          }};
}

template <class T>
Type MakeList() {
  static_assert(!std::is_same_v<typename T::value_type, bool>, "vector<bool> has no elements");
  return {.kind = Type::Kind::kList,
          .empty = [](const void* value) { return As<T>(value).empty(); },
          .element = &TypeOf<typename T::value_type>,
          .clear = [](void* value) { As<T>(value).clear(); },
          .add = [](void* value, std::string&&) -> void* { return &As<T>(value).emplace_back(); },
          .size = [](const void* value) { return As<T>(value).size(); },
          .at = [](const void* value, size_t i) -> const void* { return &As<T>(value)[i]; }};
}

template <class T>
Type MakeMap() {
  return {
      .kind = Type::Kind::kMap,
      .empty = [](const void* value) { return As<T>(value).empty(); },
      .element = &TypeOf<typename T::mapped_type>,
      .clear = [](void* value) { As<T>(value).clear(); },
      .add = [](void* value, std::string&& key) -> void* { return &As<T>(value)[std::move(key)]; },
      .each =
          [](const void* value, void* context, Type::Visit visit) {
            for (const auto& [key, element] : As<T>(value)) visit(context, key, &element);
          }};
}

// Builds the Type of the struct identified by `owner`. `sample` holds its defaults.
Type MakeObject(const ObjectSpec& spec, const void* owner, const void* sample,
                bool (*empty)(const void* value));

template <class T>
Type MakeType() {
  if constexpr (std::is_same_v<T, bool>) {
    return MakePlain<T>(Type::Kind::kBool);
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return MakePlain<T>(Type::Kind::kInt32);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return MakePlain<T>(Type::Kind::kInt64);
  } else if constexpr (std::is_same_v<T, double>) {
    return MakePlain<T>(Type::Kind::kDouble);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return MakePlain<T>(Type::Kind::kString);
  } else if constexpr (std::is_same_v<T, Raw>) {
    return MakePlain<T>(Type::Kind::kRaw);
  } else if constexpr (TextScalar<T>) {
    return MakeScalar<T>();
  } else if constexpr (OptionalLike<T>) {
    return MakeOptional<T>();
  } else if constexpr (IsShared<T>::value) {
    return MakeShared<T>();
  } else if constexpr (IsVector<T>::value) {
    return MakeList<T>();
  } else if constexpr (IsMap<T>::value) {
    return MakeMap<T>();
  } else {
    return Describe<T>(T::Fields());
  }
}

}  // namespace internal

template <class T>
Type Describe(const ObjectSpec& spec) {
  const T sample{};
  return internal::MakeObject(spec, &internal::kOwner<T>, &sample, [](const void* value) {
    return internal::ObjectIsEmpty(TypeOf<T>(), value);
  });
}

// Returns the single Type of T. Built on the first call; thread safe.
template <class T>
const Type& TypeOf() {
  if constexpr (requires { T::JsonType(); }) {
    return T::JsonType();
  } else {
    static const Type type = internal::MakeType<T>();
    return type;
  }
}

}  // namespace berth::json
