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

// Selectors made ready to ask many nodes in one cycle: their strings are symbols. They hold no
// symbol, so they are good for the cycle they were made in and no longer; api/labels.h has those
// that last, and the rules.
namespace berth::scheduler {

// TermMatcher is one term: all its requirements hold.
class TermMatcher {
 public:
  TermMatcher(std::span<const api::Requirement> labels, const Vocabulary& words);
  // A term that did not parse matches no node.
  TermMatcher(const api::CompiledTerm& term, const Vocabulary& words);

  bool Matches(const NodeInfo& node) const;

 private:
  LabelMatcher labels_;
  std::vector<api::CompiledTerm::FieldRequirement> names_;  // what metadata.name must be, or not
  bool never_ = false;
};

// NodeMatcher is a node selector: any of its terms holds.
class NodeMatcher {
 public:
  NodeMatcher(const api::CompiledNodeSelector& selector, const Vocabulary& words);
  bool Matches(const NodeInfo& node) const;

 private:
  std::vector<TermMatcher> terms_;
};

// PreferenceMatcher adds up the weights of the terms that hold.
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
