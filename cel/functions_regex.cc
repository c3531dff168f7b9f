// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "cel/cost.h"
#include "cel/libraries.h"
#include "cel/limits.h"
#include "cel/regex.h"

namespace berth::cel {
namespace {

// WithRegex calls `use` with the pattern of the second argument, compiled now unless it was a
// literal.
template <class Use>
Value WithRegex(Arguments a, std::string_view error_prefix, Use use) {
  if (a.regex != nullptr) return use(*a.regex);
  const auto compiled = Regex::Compile(a[1].AsString());
  if (!compiled) return Value::Error(std::string(error_prefix) + compiled.error().message());
  return use(**compiled);
}

Value Matches(Arguments a) {
  return WithRegex(a, "",
                   [&](const Regex& regex) { return Value::Bool(regex.Matches(a[0].AsString())); });
}

Value Find(Arguments a) {
  return WithRegex(a, "Illegal regex: ", [&](const Regex& regex) {
    const auto found = regex.FindAll(a[0].AsString(), 1);
    return Value::String(found.empty() ? std::string() : std::string(found[0]));
  });
}

Value FindAll(Arguments a) {
  const int64_t limit = a.size() > 2 ? a[2].AsInt() : -1;
  return WithRegex(a, "Illegal regex: ", [&](const Regex& regex) {
    const size_t most = limit < 0 ? kMaxListElements : static_cast<size_t>(limit);
    std::vector<Value> found;
    for (const std::string_view part : regex.FindAll(a[0].AsString(), most)) {
      found.push_back(Value::String(std::string(part)));
    }
    return Value::ListOf(std::move(found));
  });
}

uint64_t MatchCost(Arguments a, const Value& /*result*/) {
  return PatternCost(SizeOf(a[0]), SizeOf(a[1]));
}

constexpr FunctionRow kRows[] = {
    {"matches(string, string) -> bool", Matches, MatchCost},
    {"(string).matches(string) -> bool", Matches, MatchCost},
    {"(string).find(string) -> string", Find, MatchCost, true},
    {"(string).findAll(string) -> list(string)", FindAll, MatchCost, true},
    {"(string).findAll(string, int) -> list(string)", FindAll, MatchCost, true},
};

}  // namespace

std::span<const FunctionRow> RegexFunctions() { return kRows; }

}  // namespace berth::cel
