// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace berth {
class Regex;
}

namespace berth::cel {

// Arguments of a call, the receiver first. None is an error, and each has the type in the
// signature.
struct Arguments {
  std::span<const Value> values;
  const Regex* regex = nullptr;  // the literal pattern of the call, compiled

  const Value& operator[](size_t index) const { return values[index]; }
  size_t size() const { return values.size(); }
};

// Implementation computes a call. It may return an error.
using Implementation = Value (*)(Arguments arguments);

// CostFunction returns the cost of a call in Kubernetes' units.
using CostFunction = uint64_t (*)(Arguments arguments, const Value& result);

// FunctionRow declares one overload in the table of its library, for example
//   {"(string).startsWith(string) -> bool", StartsWith, TraversalCost}
// The receiver comes first, in brackets. Types are written as in messages. "quantity", "ip",
// "cidr", "url", "semver" and "format" are types of the libraries; a capital letter is any type.
struct FunctionRow {
  std::string_view signature;
  Implementation call;
  CostFunction cost = nullptr;  // null: cost 1
  // Apply `cost` even if the checker left several overloads open; otherwise such a call costs 1.
  bool costs_always = false;
};

// Library is a table of functions with the minor of the Kubernetes release 1.MINOR that added it to
// the API server. 0: it existed before the oldest supported release. Source: apiserver
// pkg/cel/environment/base.go, baseOpts.
struct Library {
  std::span<const FunctionRow> rows;
  unsigned introduced = 0;
};

struct Overload {
  std::string function;
  bool is_member = false;
  std::vector<TypePtr> parameters;  // the receiver first
  TypePtr result;
  Implementation call = nullptr;
  CostFunction cost = nullptr;
  bool costs_always = false;
  unsigned introduced = 0;  // of its library

  bool Accepts(std::span<const Value> arguments) const;
};

// FunctionTable holds additional functions of a caller, for its own opaque types (type.h).
// Signatures use the type names of messages. It must outlive the programs compiled with it.
// Immutable.
class FunctionTable {
 public:
  FunctionTable(std::span<const FunctionRow> rows, std::span<const TypePtr> types);

  // Returns all overloads of a name; empty if there is no such function.
  std::span<const Overload> Find(std::string_view name) const;

 private:
  std::map<std::string, std::vector<Overload>, std::less<>> functions_;
};

// Returns all overloads of a name ("size", "_+_", "sets.contains"); empty if there is no such
// function. They have static lifetime.
std::span<const Overload> FindFunction(std::string_view name);

// Returns all function names, for tests and documentation.
std::vector<std::string_view> FunctionNames();

}  // namespace berth::cel
