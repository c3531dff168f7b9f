// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/labels.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// LabelMatcher is requirements made ready to ask many sets of labels: their strings are symbols.
// api/labels.h has those that are asked as texts, and the rules.
class LabelMatcher {
 public:
  // Passing makes one that holds no symbol: good for the cycle it was made in and no longer.
  static LabelMatcher Passing(std::span<const api::Requirement> requirements,
                              const Vocabulary& words);
  // Lasting makes one that holds its strings, and lives and dies on the vocabulary's thread.
  static LabelMatcher Lasting(const api::Selector& selector, Vocabulary& words);

  bool Matches(const LabelSet& labels) const;

  // Requirement is one of them. Its values are sorted, each once.
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
