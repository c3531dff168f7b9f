// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/type.h"
#include "cel/function.h"
#include "cel/value.h"

// Described structs (base/json/type.h) as CEL values, read in place without conversion. Corresponds
// to json_value.h for documents.
namespace berth::cel {

// Returns the type that expressions see for values described by `type`, under this name: objects
// with fields, lists, maps by string, quantities, timestamps, durations; dyn for int-or-string.
// Fields with arbitrary JSON cannot be read. Requires: no struct contains itself.
TypePtr TypeOfStruct(const json::Type& type, const std::string& name);

// Returns a view of a value described by `type`, without copying. It must not change or move while
// the value, or any value read from it, is in use.
//
// Absent values read like message fields: an absent struct, list, map, string, number or bool is
// the empty one. Only a plain value in an optional, or an unset time, is "no such key". `has` is
// false for all absent values.
Value ViewOf(const json::Type& type, const void* value);

// StructVariable is bound to a variable of a described struct (Environment::DeclareStruct). It can
// be reused for many values of the type, one after the other.
class StructVariable {
 public:
  explicit StructVariable(const json::Type& type);

  // Points the variable to `value`. Values read earlier do not change.
  void PointAt(const void* value);
  const Value& value() const { return value_; }

 private:
  class Root;
  std::shared_ptr<Root> root_;
  Value value_;
};

// Returns the functions that struct fields need in addition to the language's: quantity() of a
// field that is already a quantity returns it unchanged.
const FunctionTable& StructFunctions();

// The building blocks of shortcuts (prepare.h, Shorten). FindStructField returns the field with
// that expression name, or null. ReadStruct is ViewOf, but returns nullopt for "no such key".
// FindStructEntry returns an entry of a map. StructOf returns the struct behind a value of an
// object type, or null if absent. Requires: an absent value is null, maps are of a kMap, values of
// ViewOf or of StructVariable.
const json::Type::Field* FindStructField(const json::Type& type, std::string_view name);
std::optional<Value> ReadStruct(const json::Type& type, const void* value);
std::optional<Value> FindStructEntry(const json::Type& type, const void* map,
                                     const std::string& key);
const void* StructOf(const Value& value);

}  // namespace berth::cel
