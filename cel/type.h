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

// Kind classifies values and types. Values use the kinds up to kOpaque, in the order of their
// representation; the others exist only during checking.
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
  kOpaque,     // a library's type: quantity, IP address, URL, ...
  kObject,     // a map with known fields; its values have kMap
  kDyn,        // unknown before evaluation; all checks are deferred
  kParameter,  // a type parameter of a signature: list(T)
};

class Type;
using TypePtr = std::shared_ptr<const Type>;

// Field is a field of an object type. `name` is the key in the document. The key in Type::fields()
// is the name in expressions (schema_type.h, EscapeFieldName).
struct Field {
  std::string name;
  TypePtr type;
};
using Fields = std::map<std::string, Field, std::less<>>;

// Type is a type of the language, used by the checker and returned by `type(x)`. Immutable and
// shared; any thread may use it.
class Type {
 public:
  Type(Kind kind, std::string name, std::vector<TypePtr> parameters = {}, Fields fields = {})
      : kind_(kind),
        name_(std::move(name)),
        parameters_(std::move(parameters)),
        fields_(std::move(fields)) {}

  Kind kind() const { return kind_; }
  // The run-time name, "google.protobuf.Duration"; the letter of a kParameter.
  const std::string& name() const { return name_; }
  // list: element; map: key and value; type and optional: the held type.
  const std::vector<TypePtr>& parameters() const { return parameters_; }
  const Fields& fields() const { return fields_; }

 private:
  Kind kind_;
  std::string name_;
  std::vector<TypePtr> parameters_;
  Fields fields_;
};

// Returns the type of a kind without parameters: null, bool, int, uint, double, string, bytes,
// timestamp, duration, dyn, error. List and map of Basic hold dyn.
const TypePtr& Basic(Kind kind);
TypePtr ListOf(TypePtr element);
TypePtr MapOf(TypePtr key, TypePtr value);
TypePtr TypeOf(TypePtr held);
TypePtr OptionalOf(TypePtr held);
TypePtr ObjectOf(std::string name, Fields fields);
TypePtr OpaqueOf(std::string name);
TypePtr ParameterOf(std::string name);

// Formats a type like the checker's messages: "list(map(string, dyn))".
std::string ToString(const Type& type);

// Compares structure; objects and opaque types by name.
bool IsSame(const Type& a, const Type& b);

// Returns the type that an identifier denotes in an expression ("int", "list",
// "google.protobuf.Duration"), or null.
TypePtr NamedType(std::string_view name);

}  // namespace berth::cel
