// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_matcher.h"

#include <algorithm>

namespace berth::scheduler {

TermMatcher::TermMatcher(std::span<const api::Requirement> labels, const Vocabulary& words)
    : labels_(LabelMatcher::Passing(labels, words)) {}

TermMatcher::TermMatcher(const api::CompiledTerm& term, const Vocabulary& words)
    : TermMatcher(std::span(term.labels), words) {
  never_ = !term.errors.empty();
  for (const auto& field : term.fields) {
    if (field.key == "metadata.name") {
      names_.push_back(field);
    } else {  // not a field of nodes, so it reads as the empty string
      never_ |= field.value.empty() != field.equal;
    }
  }
}

bool TermMatcher::Matches(const NodeInfo& node) const {
  if (never_ || !labels_.Matches(node.labels)) return false;
  return std::all_of(names_.begin(), names_.end(), [&node](const auto& name) {
    return (name.value == node.name.text()) == name.equal;
  });
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
