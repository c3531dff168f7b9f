// SPDX-License-Identifier: Apache-2.0
#include "base/regex.h"
#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

// Compiles the pattern now unless it is a literal.
Value Matches(Arguments a) {
  if (a.regex != nullptr) return Value::Bool(a.regex->Matches(a[0].AsString()));
  const auto compiled = Regex::Compile(a[1].AsString());
  if (!compiled) return Value::Error(compiled.error().message());
  return Value::Bool((*compiled)->Matches(a[0].AsString()));
}

uint64_t MatchCost(Arguments a, const Value& /*result*/) {
  return PatternCost(SizeOf(a[0]), SizeOf(a[1]));
}

constexpr FunctionRow kRegexRows[] = {
    {"matches(string, string) -> bool", Matches, MatchCost},
    {"(string).matches(string) -> bool", Matches, MatchCost},
};

}  // namespace

std::span<const FunctionRow> RegexFunctions() { return kRegexRows; }

}  // namespace berth::cel
