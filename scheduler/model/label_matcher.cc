// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/label_matcher.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace berth::scheduler {
namespace {

// The symbol of strings that occur in no label. Not kNoSymbol: a label value may be empty.
constexpr Symbol kUnknownSymbol = std::numeric_limits<Symbol>::max();

}  // namespace

template <class SymbolOf>
void LabelMatcher::Compile(std::span<const api::Requirement> requirements,
                           const SymbolOf& symbol_of) {
  requirements_.reserve(requirements.size());
  for (const api::Requirement& requirement : requirements) {
    Requirement& made = requirements_.emplace_back(
        Requirement{requirement.op, symbol_of(requirement.key), {}, requirement.bound});
    made.values.reserve(requirement.values.size());
    for (const std::string& value : requirement.values) made.values.push_back(symbol_of(value));
    std::sort(made.values.begin(), made.values.end());
    made.values.erase(std::unique(made.values.begin(), made.values.end()), made.values.end());
  }
}

LabelMatcher LabelMatcher::Passing(std::span<const api::Requirement> requirements,
                                   const Vocabulary& words) {
  LabelMatcher matcher(words);
  matcher.Compile(requirements, [&words](std::string_view text) {
    const Symbol symbol = words.Find(text);
    return symbol == kNoSymbol && !text.empty() ? kUnknownSymbol : symbol;
  });
  return matcher;
}

LabelMatcher LabelMatcher::Lasting(const api::Selector& selector, Vocabulary& words) {
  LabelMatcher matcher(words);
  matcher.never_ = selector.IsNothing();
  matcher.Compile(selector.requirements(), [&](std::string_view text) {
    return matcher.held_.emplace_back(words.Intern(text)).symbol();
  });
  return matcher;
}

bool LabelMatcher::Matches(const LabelSet& labels) const {
  if (never_) return false;
  for (const Requirement& requirement : requirements_) {
    if (!Matches(labels, requirement)) return false;
  }
  return true;
}

bool LabelMatcher::Matches(const LabelSet& labels, const Requirement& requirement) const {
  using Operator = api::Requirement::Operator;
  const std::optional<Symbol> value = labels.Value(requirement.key);
  const bool present = value.has_value();
  const auto is_listed = [&] {
    return std::binary_search(requirement.values.begin(), requirement.values.end(), *value);
  };
  switch (requirement.op) {
    case Operator::kIn:
      return present && is_listed();
    case Operator::kNotIn:
      return !present || !is_listed();
    case Operator::kExists:
      return present;
    case Operator::kDoesNotExist:
      return !present;
    case Operator::kGreaterThan:
    case Operator::kLessThan:
      break;
  }
  return present &&
         api::Requirement::MatchesNumber(requirement.op, words_->Text(*value), requirement.bound);
}

}  // namespace berth::scheduler
