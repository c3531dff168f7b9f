// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/cache/pod_classes.h"
#include "scheduler/cache/pod_matcher.h"
#include "scheduler/cache/topology.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/sparse_counts.h"

namespace berth::scheduler {

// AffinityTerm is a term that placed pods have, once for all of them.
struct AffinityTerm {
  TermKind kind = TermKind::kRequiredAffinity;
  int32_t weight = 0;
  PodSelector selector;
  std::vector<PodMatcher> matcher;  // of the selector: one
  std::shared_ptr<const Topology> topology;
  SparseCounts counts;  // how often pods on nodes with the topology key have it, by domain

  size_t sets = 0;                                      // that have it, repeats counted
  const std::string* key = nullptr;                     // under which AffinityTerms holds it
  const LabelMatcher::Requirement* required = nullptr;  // under which it is found; into matcher
};

// TermSet is the terms of a pod: pods of one template share a set.
struct TermSet {
  std::vector<AffinityTerm*> terms;  // one that a pod has twice is here twice
  size_t pods = 0;
  PodAffinities affinities;          // from which they come
  const std::string* key = nullptr;  // under which AffinityTerms holds it
};

// AffinityTerms holds the affinity terms of placed pods, and counts how often they are had in each
// domain. Owned by the counts. Source: kube-scheduler pkg/scheduler/framework/types.go,
// PodInfo.Update; plugins/interpodaffinity/filtering.go and scoring.go say what is counted.
class AffinityTerms {
 public:
  using TopologyOf = std::function<std::shared_ptr<const Topology>(const std::string& key)>;

  AffinityTerms(Vocabulary& words, TopologyOf topology_of)
      : words_(words), topology_of_(std::move(topology_of)) {}

  // Take gives the set of a pod, null where it has no terms. Release gives it back.
  TermSet* Take(const PodInfo& pod, const PodClasses& classes);
  void Release(TermSet& set);
  // SameAs gives the affinities of placed pods that are equal to those of a pod, for it to share;
  // null where there are none. Good until the next change.
  const PodAffinities* SameAs(const api::Pod& pod);

  // Count counts the terms of a pod on a node (+1), or no longer (-1).
  static void Count(const TermSet& set, Slot slot, int by);
  // Move follows a node with such a pod that is in another domain than it was.
  static void Move(const TermSet& set, const Topology& topology, Domain from, Domain to);

  // About gives the terms that mean a class, from what the class keeps where that is not outdated.
  std::span<const PlacedTerm> About(PodClass& pod_class, const NamespaceTable& namespaces) const;
  // OnNamespaces makes all that was found out about classes outdated.
  void OnNamespaces() { ++version_; }

  // Visit shows all terms; for the self-check.
  template <class Visitor>
  void Visit(const Visitor& visitor) const {
    for (const auto& [key, term] : terms_) visitor(*term);
  }
  size_t size() const { return terms_.size(); }

 private:
  const std::string& KeyOf(const std::string& namespace_name, const PodAffinities& affinities);
  void AddTerms(const PodInfo& pod, const PodClasses& classes, TermSet& set);
  AffinityTerm& TermOf(TermKind kind, int32_t weight, PodSelector selector,
                       const std::string& topology_key, const PodClasses& classes);

  Vocabulary& words_;
  TopologyOf topology_of_;
  std::unordered_map<std::string, std::unique_ptr<TermSet>> sets_;
  std::unordered_map<std::string, std::unique_ptr<AffinityTerm>> terms_;
  ByRequiredLabel<AffinityTerm> by_label_;
  KeyText scratch_;  // for a key to look up
  // That of the distinct terms; what a class keeps of an older one names terms that may be gone.
  uint64_t version_ = 1;
};

}  // namespace berth::scheduler
