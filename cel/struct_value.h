// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/type.h"
#include "cel/function.h"
#include "cel/value.h"

// Described structs (base/json/type.h) as values of the language, read where they lie: what a
// document is to json_value.h, a struct is here. Nothing is converted.
namespace berth::cel {

// TypeOfStruct is the type that expressions see for a value that `type` describes, under this name:
// objects with their fields, lists, maps by text, quantities, timestamps, durations; dyn for
// int-or-string. A field that is JSON of any kind cannot be read. Requires: no struct contains
// itself.
TypePtr TypeOfStruct(const json::Type& type, const std::string& name);

// ViewOf makes a value of what `type` describes, without copying it. It must neither change nor
// move while the value, or any that was read out of it, is in use.
//
// What is absent reads as fields of messages do: a struct, list, map, text, number or bool as the
// empty one; only a plain value behind an optional, or a time that is not set, is "no such key".
// `has` tells of all of them whether there is anything.
Value ViewOf(const json::Type& type, const void* value);

// StructVariable is what a variable of a described struct is bound to (Environment::DeclareStruct):
// one for many values of a type, one after the other.
class StructVariable {
 public:
  explicit StructVariable(const json::Type& type);

  // PointAt makes `value` the one that is read; those read before stay what they are.
  void PointAt(const void* value);
  const Value& value() const { return value_; }

 private:
  class Root;
  std::shared_ptr<Root> root_;
  Value value_;
};

// StructFunctions are those that fields of structs need beside the language's: a quantity is one
// already, quantity() leaves it as it is.
const FunctionTable& StructFunctions();

// What shortcuts are made of (prepare.h, Shorten): FindStructField gives the field that expressions
// name so, or null; ReadStruct is ViewOf, and nothing for what is "no such key"; FindStructEntry gives
// an entry of a map; StructOf gives what a value of an object type was made of, null for an absent
// one. Requires: an absent value is null, maps are of a kMap, values of ViewOf or of StructVariable.
const json::Type::Field* FindStructField(const json::Type& type, std::string_view name);
std::optional<Value> ReadStruct(const json::Type& type, const void* value);
std::optional<Value> FindStructEntry(const json::Type& type, const void* map,
                                     const std::string& key);
const void* StructOf(const Value& value);

}  // namespace berth::cel
