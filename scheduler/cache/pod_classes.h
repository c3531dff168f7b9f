// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scheduler/cache/pod_matcher.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/namespace_table.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

class CountColumn;
struct PodClass;
struct TermSet;

// CountedPod is the per-pod state of the counts, part of the pod's row in the cache. Its address is
// stable while the pod is counted.
struct CountedPod {
  PodClass* pod_class = nullptr;
  uint32_t place = 0;        // index in PodClass::members
  TermSet* terms = nullptr;  // null: no terms
};

// PodClass is an equivalence class: the pods of a namespace with equal labels, such as the pods of
// a ReplicaSet. Selectors cannot distinguish them, so a result for one pod holds for all.
struct PodClass {
  struct Member {
    Slot slot = kNoSlot;
    bool terminating = false;
    CountedPod* pod = nullptr;
  };

  Word namespace_name;
  LabelSet labels;
  std::vector<Member> members;        // its placed pods, unordered
  std::vector<CountColumn*> columns;  // the columns that count its pods
  // The terms of placed pods that select this class, as of terms_version.
  std::vector<PlacedTerm> terms;
  uint64_t terms_version = 0;

  std::vector<uint32_t> postings;  // positions in PodClasses::by_label_, by label
  bool kept = false;               // true: in PodClasses::kept_
};

// PodClasses holds the classes and finds the candidates for a selector. A class is deleted with its
// last placed pod, except classes of pending pods (Keep). Owned by the counts.
//
// Invariant: by_label_ has each class once for each of its labels, because only Make and Erase
// change it. PodClass::postings has the positions.
class PodClasses {
 public:
  PodClass* Find(const PodInfo& pod) const;  // null: not found
  PodClass& Make(const PodInfo& pod);        // Requires: not found
  void Join(PodClass& pod_class, Slot slot, bool terminating, CountedPod& pod);
  void Leave(CountedPod& pod);

  // Keep retains a class without placed pods, for a pending pod, until DropKept. HasManyKept
  // reports that DropKept is due.
  void Keep(PodClass& pod_class);
  bool HasManyKept() const { return kept_.size() > kManyKept; }
  void DropKept();

  // Returns the In requirement that the fewest classes meet; null if none does. Points into the
  // matchers.
  const LabelMatcher::Requirement* Narrowest(std::span<const PodMatcher> matchers) const;
  // Visits the classes that meet a requirement returned by Narrowest; all classes for null.
  template <class Visitor>
  void Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) const;

  size_t size() const { return classes_.size(); }

 private:
  static constexpr size_t kManyKept = 1024;

  struct Like {  // a lookup key
    Symbol namespace_name;
    const LabelSet& labels;
  };
  static Like LikeOf(const PodClass& pod_class);
  struct Hash {
    using is_transparent = void;
    size_t operator()(const Like& like) const;
    size_t operator()(const std::unique_ptr<PodClass>& each) const {
      return (*this)(LikeOf(*each));
    }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Like& a, const std::unique_ptr<PodClass>& b) const {
      return a.namespace_name == b->namespace_name.symbol() && a.labels == b->labels;
    }
    bool operator()(const std::unique_ptr<PodClass>& a, const Like& b) const {
      return (*this)(b, a);
    }
    bool operator()(const std::unique_ptr<PodClass>& a, const std::unique_ptr<PodClass>& b) const {
      return (*this)(LikeOf(*a), b);
    }
  };
  struct Posting {
    PodClass* pod_class;
    uint32_t label;  // index in its labels
  };

  size_t CountOf(const LabelMatcher::Requirement& required) const;
  void Post(PodClass& pod_class);
  void Unpost(const PodClass& pod_class);
  void Erase(PodClass& pod_class);

  std::unordered_set<std::unique_ptr<PodClass>, Hash, Equal> classes_;
  std::unordered_map<uint64_t, std::vector<Posting>> by_label_;  // by LabelKey
  std::vector<PodClass*> kept_;
};

// Returns key and value of a label as one number.
inline uint64_t LabelKey(Symbol key, Symbol value) { return uint64_t{key} << 32 | value; }

template <class Visitor>
void PodClasses::Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) const {
  if (required == nullptr) {
    for (const auto& each : classes_) visitor(*each);
    return;
  }
  for (const Symbol value : required->values) {
    const auto found = by_label_.find(LabelKey(required->key, value));
    if (found == by_label_.end()) continue;
    for (const Posting& posting : found->second) visitor(*posting.pod_class);
  }
}

// ByRequiredLabel is the reverse index: it finds the selectors that may match a class. An entry is
// indexed by the labels of its requirement (see PodClasses::Narrowest), or is in the rest.
template <class T>
class ByRequiredLabel {
 public:
  void Add(T& thing, const LabelMatcher::Requirement* required) {
    Visit(required, [&thing](std::vector<T*>& list) { list.push_back(&thing); });
  }
  void Remove(T& thing, const LabelMatcher::Requirement* required) {
    Visit(required, [&thing](std::vector<T*>& list) { std::erase(list, &thing); });
    if (required == nullptr) return;
    for (const Symbol value : required->values) {
      const auto found = by_label_.find(LabelKey(required->key, value));
      if (found->second.empty()) by_label_.erase(found);
    }
  }
  template <class Visitor>
  void VisitCandidates(const LabelSet& labels, const Visitor& visitor) const {
    for (T* thing : rest_) visitor(*thing);
    for (const auto& [key, value] : labels) {
      const auto found = by_label_.find(LabelKey(key, value));
      if (found == by_label_.end()) continue;
      for (T* thing : found->second) visitor(*thing);
    }
  }

 private:
  template <class Visitor>
  void Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) {
    if (required == nullptr) return visitor(rest_);
    for (const Symbol value : required->values) visitor(by_label_[LabelKey(required->key, value)]);
  }

  std::unordered_map<uint64_t, std::vector<T*>> by_label_;
  std::vector<T*> rest_;
};

// Reports whether all selectors match the pods of a class.
bool AllMatch(std::span<const PodMatcher> matchers, const PodClass& pod_class,
              const NamespaceTable& namespaces);

}  // namespace berth::scheduler
