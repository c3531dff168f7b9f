// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
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

// TermGroup is the set of the affinity terms of placed pods that differ only in the values that
// their first NotIn requirement excludes; a term without one is alone. So a pod is compared with
// one group instead of with the term of each job that excludes only its own pods (JobSet's
// exclusive placement).
struct TermGroup {
  TermKind kind = TermKind::kRequiredAffinity;
  int32_t weight = 0;
  std::vector<PodMatcher> matcher;  // exactly one, of the selector without the excluded values
  std::shared_ptr<const Topology> topology;
  SparseCounts counts;  // number of its terms on nodes with the topology key, by domain
  Word excluded_key;
  // The terms that exclude a value: their number, and their counts like `counts`.
  struct Excluding {
    size_t terms = 0;
    SparseCounts counts;
  };
  std::unordered_map<Symbol, Excluding> excluding;  // by value

  size_t terms = 0;                                     // number of distinct terms
  const std::string* key = nullptr;                     // its key in AffinityTerms::groups_
  const LabelMatcher::Requirement* required = nullptr;  // the one it is indexed by; into matcher
  std::vector<uint32_t> postings;                       // in the index
};

// AffinityTerm is a distinct affinity term of placed pods. Equal terms of different pods share one.
struct AffinityTerm {
  TermGroup* group = nullptr;
  std::vector<Word> excluded;        // the different values; empty: it has no NotIn requirement
  size_t sets = 0;                   // number of TermSet entries for this term
  const std::string* key = nullptr;  // its key in AffinityTerms::terms_
};

// TermSet is the list of affinity terms of a pod. Pods of one template share a set.
struct TermSet {
  std::vector<AffinityTerm*> terms;  // a duplicate term of the pod is listed twice
  size_t pods = 0;
  PodAffinities affinities;          // the source of the terms
  const std::string* key = nullptr;  // its key in AffinityTerms::sets_
};

// AffinityTerms holds the affinity terms of placed pods and counts them by topology domain. Owned
// by the counts. Source: kube-scheduler pkg/scheduler/framework/types.go, PodInfo.Update;
// plugins/interpodaffinity/filtering.go and scoring.go define which terms are counted.
class AffinityTerms {
 public:
  using TopologyOf = std::function<std::shared_ptr<const Topology>(const std::string& key)>;

  AffinityTerms(Vocabulary& words, TopologyOf topology_of)
      : words_(words), topology_of_(std::move(topology_of)) {}

  // Take returns the shared set of a pod, or null if the pod has no terms. Release returns it.
  TermSet* Take(const PodInfo& pod, const PodClasses& classes);
  void Release(TermSet& set);
  // Returns the affinities of placed pods that equal those of `pod`, so that it can share them;
  // null if there are none. Valid until the next change.
  const PodAffinities* SameAs(const api::Pod& pod);

  // Adds (+1) or removes (-1) the terms of a pod on a node.
  static void Count(const TermSet& set, Slot slot, int by);
  // Moves the terms of a pod when its node moves to another domain.
  static void Move(const TermSet& set, const Topology& topology, Domain from, Domain to);

  // Returns the terms that select pods of the class. Uses the list cached in the class if it is
  // current.
  std::span<const PlacedTerm> About(PodClass& pod_class, const NamespaceTable& namespaces) const;
  // Reports whether some term depends on the labels of namespaces.
  bool ReadsNamespaces() const { return reading_namespaces_ > 0; }

  // Calls `visitor` with the topology and the counts of each group and of each value that it
  // excludes. For the self-check.
  template <class Visitor>
  void VisitCounts(const Visitor& visitor) const {
    for (const auto& [key, group] : groups_) {
      visitor(*group->topology, group->counts);
      for (const auto& [value, each] : group->excluding) visitor(*group->topology, each.counts);
    }
  }
  size_t size() const { return terms_.size(); }

 private:
  const std::string& KeyOf(const std::string& namespace_name, const PodAffinities& affinities);
  void AddTerms(const PodInfo& pod, const PodClasses& classes, TermSet& set);
  AffinityTerm& TermOf(TermKind kind, int32_t weight, const PodSelector& selector,
                       const std::string& topology_key, const PodClasses& classes);
  TermGroup& GroupOf(TermKind kind, int32_t weight, const PodSelector& selector,
                     const std::string& topology_key, const std::string& excluded_key,
                     const PodClasses& classes);
  void Exclude(AffinityTerm& term, const std::set<std::string>& values);
  void Erase(const AffinityTerm& term);

  Vocabulary& words_;
  TopologyOf topology_of_;
  std::unordered_map<std::string, std::unique_ptr<TermSet>> sets_;
  std::unordered_map<std::string, std::unique_ptr<AffinityTerm>> terms_;
  std::unordered_map<std::string, std::unique_ptr<TermGroup>> groups_;
  ByRequiredLabel<TermGroup> by_label_;
  size_t reading_namespaces_ = 0;  // number of groups that read the labels of namespaces
  KeyText scratch_;                // for a key to look up
  // Version of the set of groups and of the values that they exclude. A list cached under an older
  // version may point to deleted ones.
  uint64_t version_ = 1;
};

}  // namespace berth::scheduler
