// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/labels.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// LabelMatcher is a compiled list of label requirements with symbols for strings, to match many
// label sets. api/labels.h matches strings and has the rules.
class LabelMatcher {
 public:
  // Creates a matcher that holds no symbols: valid only in the current cycle.
  static LabelMatcher Passing(std::span<const api::Requirement> requirements,
                              const Vocabulary& words);
  // Creates a matcher that holds its strings. Must be used and destroyed on the vocabulary's
  // thread.
  static LabelMatcher Lasting(const api::Selector& selector, Vocabulary& words);

  bool Matches(const LabelSet& labels) const;
  // Reports whether the result depends on the labels: false if it matches all or none.
  bool ReadsLabels() const { return !never_ && !requirements_.empty(); }

  // Requirement is one compiled requirement. The values are sorted and unique.
  struct Requirement {
    api::Requirement::Operator op;
    Symbol key;
    std::vector<Symbol> values;
    int64_t bound;
  };
  std::span<const Requirement> requirements() const { return requirements_; }

 private:
  explicit LabelMatcher(const Vocabulary& words) : words_(&words) {}
  template <class SymbolOf>
  void Compile(std::span<const api::Requirement> requirements, const SymbolOf& symbol_of);
  bool Matches(const LabelSet& labels, const Requirement& requirement) const;

  const Vocabulary* words_;
  std::vector<Requirement> requirements_;
  std::vector<Word> held_;
  bool never_ = false;
};

}  // namespace berth::scheduler
