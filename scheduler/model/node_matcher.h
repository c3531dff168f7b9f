// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/labels.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"

// Node selectors compiled for many nodes in one cycle, with symbols for strings. They hold no
// symbols, so they are valid only in the cycle that created them; api/labels.h has selectors
// without this limit, and the rules.
namespace berth::scheduler {

// TermMatcher is one compiled node selector term: all its requirements must match.
class TermMatcher {
 public:
  TermMatcher(std::span<const api::Requirement> labels, const Vocabulary& words);
  // A term that failed to parse matches no node.
  TermMatcher(const api::CompiledTerm& term, const Vocabulary& words);

  bool Matches(const NodeInfo& node) const;

 private:
  LabelMatcher labels_;
  std::vector<api::CompiledTerm::FieldRequirement> names_;  // requirements on metadata.name
  bool never_ = false;
};

// NodeMatcher is a compiled node selector: at least one of its terms must match.
class NodeMatcher {
 public:
  NodeMatcher(const api::CompiledNodeSelector& selector, const Vocabulary& words);
  bool Matches(const NodeInfo& node) const;

 private:
  std::vector<TermMatcher> terms_;
};

// PreferenceMatcher sums the weights of the matching terms.
class PreferenceMatcher {
 public:
  PreferenceMatcher(const api::PreferredTerms& preferred, const Vocabulary& words);
  int64_t Score(const NodeInfo& node) const;

 private:
  struct Weighted {
    TermMatcher term;
    int32_t weight;
  };
  std::vector<Weighted> terms_;
};

}  // namespace berth::scheduler
