// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_matcher.h"

#include <algorithm>

namespace berth::scheduler {

PodMatcher::PodMatcher(const PodSelector& selector, Vocabulary& words)
    : namespace_selector_(LabelMatcher::Lasting(selector.namespace_selector, words)),
      labels_(LabelMatcher::Lasting(selector.labels, words)) {
  for (const std::string& name : selector.namespaces) {
    namespaces_.push_back(held_.emplace_back(words.Intern(name)));
  }
  std::sort(namespaces_.begin(), namespaces_.end());
}

bool PodMatcher::Matches(Symbol namespace_name, const LabelSet& namespace_labels,
                         const LabelSet& labels) const {
  return labels_.Matches(labels) &&
         (std::binary_search(namespaces_.begin(), namespaces_.end(), namespace_name) ||
          namespace_selector_.Matches(namespace_labels));
}

std::vector<PodMatcher> MatchersOf(const PodQuery& query, Vocabulary& words) {
  std::vector<PodMatcher> matchers;
  matchers.reserve(query.all_of.size());
  for (const PodSelector& selector : query.all_of) matchers.emplace_back(selector, words);
  return matchers;
}

}  // namespace berth::scheduler
