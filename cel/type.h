// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::cel {

// Kind is what a value is. Values use those up to kOpaque, in the order of their representation;
// the rest exist only while checking.
enum class Kind : uint8_t {
  kError,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kType,
  kOptional,
  kOpaque,     // a type of a library: quantity, IP address, URL ...
  kObject,     // a map with known fields; its values are kMap
  kDyn,        // not known before evaluation: every check is left to evaluation
  kParameter,  // stands for one type throughout a signature: list(T)
};

class Type;
using TypePtr = std::shared_ptr<const Type>;

// Field is a field of an object type. `name` is the key in the document; the key of Type::fields()
// is the name that expressions use (kubernetes.h, EscapeFieldName).
struct Field {
  std::string name;
  TypePtr type;
};
using Fields = std::map<std::string, Field, std::less<>>;

// Type is a type of the language: what the checker reasons about, and what `type(x)` gives.
// Immutable once made and shared; any thread may use it.
class Type {
 public:
  Type(Kind kind, std::string name, std::vector<TypePtr> parameters = {}, Fields fields = {})
      : kind_(kind),
        name_(std::move(name)),
        parameters_(std::move(parameters)),
        fields_(std::move(fields)) {}

  Kind kind() const { return kind_; }
  // The name at run time, "google.protobuf.Duration"; of a kParameter its letter.
  const std::string& name() const { return name_; }
  // list: element; map: key and value; type and optional: what they hold.
  const std::vector<TypePtr>& parameters() const { return parameters_; }
  const Fields& fields() const { return fields_; }

 private:
  Kind kind_;
  std::string name_;
  std::vector<TypePtr> parameters_;
  Fields fields_;
};

// Basic gives the type of a kind that has no parts: null, bool, int, uint, double, string, bytes,
// timestamp, duration, dyn, error. List and map of Basic hold dyn.
const TypePtr& Basic(Kind kind);
TypePtr ListOf(TypePtr element);
TypePtr MapOf(TypePtr key, TypePtr value);
TypePtr TypeOf(TypePtr held);
TypePtr OptionalOf(TypePtr held);
TypePtr ObjectOf(std::string name, Fields fields);
TypePtr OpaqueOf(std::string name);
TypePtr ParameterOf(std::string name);

// ToString writes a type as messages of the checker do: "list(map(string, dyn))".
std::string ToString(const Type& type);

// IsSame compares structure; objects and opaque types by name.
bool IsSame(const Type& a, const Type& b);

// NamedType gives the type an identifier stands for in an expression ("int", "list",
// "google.protobuf.Duration"), or null.
TypePtr NamedType(std::string_view name);

}  // namespace berth::cel
