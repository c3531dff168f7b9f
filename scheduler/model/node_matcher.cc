// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_matcher.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace berth::scheduler {
namespace {

// What no label has; the empty string is a value that one may have.
constexpr Symbol kUnheard = std::numeric_limits<Symbol>::max();

Symbol SymbolOf(std::string_view text, const Vocabulary& words) {
  const Symbol symbol = words.Find(text);
  return symbol == kNoSymbol && !text.empty() ? kUnheard : symbol;
}

}  // namespace

TermMatcher::TermMatcher(std::span<const api::Requirement> labels, const Vocabulary& words)
    : words_(&words) {
  labels_.reserve(labels.size());
  for (const api::Requirement& requirement : labels) {
    Requirement& made = labels_.emplace_back(
        Requirement{requirement.op, SymbolOf(requirement.key, words), {}, requirement.bound});
    for (const std::string& value : requirement.values) {
      made.values.push_back(SymbolOf(value, words));
    }
  }
}

TermMatcher::TermMatcher(const api::CompiledTerm& term, const Vocabulary& words)
    : TermMatcher(std::span(term.labels), words) {
  never_ = !term.errors.empty();
  for (const auto& field : term.fields) {
    if (field.key == "metadata.name") {
      names_.push_back(field);
    } else {  // nodes do not have it, so it reads as the empty string
      never_ |= field.value.empty() != field.equal;
    }
  }
}

bool TermMatcher::Matches(const NodeInfo& node) const {
  if (never_) return false;
  for (const Requirement& requirement : labels_) {
    if (!Matches(node, requirement)) return false;
  }
  return std::all_of(names_.begin(), names_.end(), [&node](const auto& name) {
    return (name.value == node.name.text()) == name.equal;
  });
}

bool TermMatcher::Matches(const NodeInfo& node, const Requirement& requirement) const {
  using Operator = api::Requirement::Operator;
  const std::optional<Symbol> value = node.labels.Value(requirement.key);
  const bool present = value.has_value();
  const auto is_listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), *value) !=
           requirement.values.end();
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

NodeMatcher::NodeMatcher(const api::CompiledNodeSelector& selector, const Vocabulary& words) {
  for (const api::CompiledTerm& term : selector.terms()) terms_.emplace_back(term, words);
}

bool NodeMatcher::Matches(const NodeInfo& node) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&node](const TermMatcher& term) { return term.Matches(node); });
}

PreferenceMatcher::PreferenceMatcher(const api::PreferredTerms& preferred,
                                     const Vocabulary& words) {
  for (const auto& [term, weight] : preferred.terms()) {
    terms_.push_back({TermMatcher(term, words), weight});
  }
}

int64_t PreferenceMatcher::Score(const NodeInfo& node) const {
  int64_t score = 0;
  for (const Weighted& weighted : terms_) {
    if (weighted.term.Matches(node)) score += weighted.weight;
  }
  return score;
}

}  // namespace berth::scheduler
