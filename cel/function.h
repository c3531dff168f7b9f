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

// Arguments of a call, the receiver first. None of them is an error, and each is of the kind that
// the signature says.
struct Arguments {
  std::span<const Value> values;
  const Regex* regex = nullptr;  // the literal pattern of the call, compiled

  const Value& operator[](size_t index) const { return values[index]; }
  size_t size() const { return values.size(); }
};

// Implementation computes a call; it may give an error.
using Implementation = Value (*)(Arguments arguments);

// CostFunction gives what a call has cost, in Kubernetes' units.
using CostFunction = uint64_t (*)(Arguments arguments, const Value& result);

// FunctionRow declares one overload in the table of its library, for example
//   {"(string).startsWith(string) -> bool", StartsWith, TraversalCost}
// A receiver stands in brackets in front. Types are written as messages write them; "quantity",
// "ip", "cidr", "url", "semver" and "format" are the libraries' types, a capital letter any type.
struct FunctionRow {
  std::string_view signature;
  Implementation call;
  CostFunction cost = nullptr;  // null: 1
  // Whether `cost` counts also when the types left several overloads open; else that costs 1.
  bool costs_always = false;
};

// Library is a table of functions, with the minor of the Kubernetes release 1.MINOR that added it to
// the API server's expressions. 0: it was there from the beginning, or before the oldest release
// that Berth supports.
// Source: apiserver pkg/cel/environment/base.go, baseOpts.
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

// FunctionTable holds functions that a user of the language adds, for types of his own: opaque ones
// (type.h) that signatures name as messages do. Make it once and let it live as long as the
// programs that were compiled with it. Immutable.
class FunctionTable {
 public:
  FunctionTable(std::span<const FunctionRow> rows, std::span<const TypePtr> types);

  // Find gives all overloads of a name; empty if there is no such function.
  std::span<const Overload> Find(std::string_view name) const;

 private:
  std::map<std::string, std::vector<Overload>, std::less<>> functions_;
};

// FindFunction gives all overloads of a name ("size", "_+_", "sets.contains"); empty if there is no
// such function. They live as long as the program.
std::span<const Overload> FindFunction(std::string_view name);

// FunctionNames lists all names, for tests and documentation.
std::vector<std::string_view> FunctionNames();

}  // namespace berth::cel
