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

// CountedPod is what the counts keep of a placed pod, in its row of the cache. Its address is that
// of the pod as long as it is counted.
struct CountedPod {
  PodClass* pod_class = nullptr;
  uint32_t place = 0;        // among the members of its class
  TermSet* terms = nullptr;  // null: it has none
};

// PodClass is the pods of a namespace that have the same labels, such as those of a ReplicaSet: no
// selector tells them apart, so that what is found out of one holds for all.
struct PodClass {
  struct Member {
    Slot slot = kNoSlot;
    bool terminating = false;
    CountedPod* pod = nullptr;
  };

  Word namespace_name;
  LabelSet labels;
  std::vector<Member> members;        // its placed pods, in no order
  std::vector<CountColumn*> columns;  // those that count its pods
  // The terms of placed pods that mean its pods, as they were at that version of the terms.
  std::vector<PlacedTerm> terms;
  uint64_t terms_version = 0;

  std::vector<uint32_t> postings;  // its places in PodClasses::by_label_, one for each label
  bool kept = false;               // it is in PodClasses::kept_
};

// PodClasses holds each class once, and finds those that a selector may mean. A class goes with its
// last pod, but for those of pods that wait. Owned by the counts.
//
// Invariant: by_label_ has each class once for each of its labels, because Make and Erase alone
// change it, and PodClass::postings says where.
class PodClasses {
 public:
  PodClass* Find(const PodInfo& pod) const;  // null: there is none
  PodClass& Make(const PodInfo& pod);        // Requires: there is none
  void Join(PodClass& pod_class, Slot slot, bool terminating, CountedPod& pod);
  void Leave(CountedPod& pod);

  // Keep lets a class stay without pods, for one that waits, until DropKept. HasManyKept says that
  // it is time for that.
  void Keep(PodClass& pod_class);
  bool HasManyKept() const { return kept_.size() > kManyKept; }
  void DropKept();

  // Narrowest is the requirement that the fewest classes meet, of those that name their values;
  // null when there is none. It points into the matchers.
  const LabelMatcher::Requirement* Narrowest(std::span<const PodMatcher> matchers) const;
  // Visit visits the classes that meet a requirement that Narrowest gave, all for null.
  template <class Visitor>
  void Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) const;

  size_t size() const { return classes_.size(); }

 private:
  static constexpr size_t kManyKept = 1024;

  struct Like {  // a class to look for
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
    uint32_t label;  // which of its labels
  };

  size_t CountOf(const LabelMatcher::Requirement& required) const;
  void Post(PodClass& pod_class);
  void Unpost(const PodClass& pod_class);
  void Erase(PodClass& pod_class);

  std::unordered_set<std::unique_ptr<PodClass>, Hash, Equal> classes_;
  std::unordered_map<uint64_t, std::vector<Posting>> by_label_;  // by LabelKey
  std::vector<PodClass*> kept_;
};

// LabelKey is key and value of a label as one number.
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

// ByRequiredLabel finds, the other way about, what may mean a class: each thing stands under the
// labels of a requirement that PodClasses::Narrowest gave for it, or among the rest.
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

// AllMean says whether all the selectors mean the pods of a class.
bool AllMean(std::span<const PodMatcher> matchers, const PodClass& pod_class,
             const NamespaceTable& namespaces);

}  // namespace berth::scheduler
