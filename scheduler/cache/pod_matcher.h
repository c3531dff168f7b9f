// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/model/label_matcher.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/model/pod_selector.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// PodMatcher is a PodSelector compiled to symbols, for matching many classes. It holds its symbols.
class PodMatcher {
 public:
  PodMatcher(const PodSelector& selector, Vocabulary& words);

  bool Matches(Symbol namespace_name, const LabelSet& namespace_labels,
               const LabelSet& labels) const;
  // Reports whether the result depends on the labels of the namespace.
  bool ReadsNamespaces() const { return namespace_selector_.ReadsLabels(); }
  const LabelMatcher& labels() const { return labels_; }

 private:
  std::vector<Symbol> namespaces_;  // sorted
  std::vector<Word> held_;
  LabelMatcher namespace_selector_;
  LabelMatcher labels_;
};

// Compiles the selectors of a query. A pod must match all.
std::vector<PodMatcher> MatchersOf(const PodQuery& query, Vocabulary& words);

}  // namespace berth::scheduler
