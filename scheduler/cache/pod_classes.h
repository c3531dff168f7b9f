// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scheduler/cache/pod_matcher.h"
#include "scheduler/cache/postings.h"
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
  // The terms of placed pods that select this class, as of terms_version; 0: not listed. Only kept
  // classes have a list.
  std::vector<PlacedTerm> terms;
  uint64_t terms_version = 0;

  std::vector<uint32_t> postings;   // of each label, first by key and value, then by key
  uint32_t place_in_namespace = 0;  // position in PodClasses::by_namespace_
  bool kept = false;                // true: in PodClasses::kept_
};

// PodClasses holds the classes and finds the candidates for a selector. A class is deleted with its
// last placed pod, except classes of pending pods (Keep). Owned by the counts.
//
// Invariant: by_label_ has each class once for each of its labels and once for each of their keys,
// and by_namespace_ has it once, because only Make and Erase change them. The class has the
// positions.
class PodClasses {
 public:
  PodClass* Find(const PodInfo& pod) const;  // null: not found
  PodClass& Make(const PodInfo& pod);        // Requires: not found
  void Join(PodClass& pod_class, Slot slot, bool terminating, CountedPod& pod);
  void Leave(CountedPod& pod);

  // Keep retains a class without placed pods, for a pending pod, until DropKept, which also frees
  // the lists of terms of all kept classes. HasManyKept reports that DropKept is due, and KeptBytes
  // returns the memory of kept classes without their lists of terms.
  void Keep(PodClass& pod_class);
  bool HasManyKept() const { return kept_.size() > kManyKept; }
  size_t KeptBytes() const { return kept_labels_ * kBytesPerLabel; }
  void DropKept();

  // Adds a column that counts the pods of the class, or removes columns with `dropped` from all
  // classes, in one pass. Listed returns the number of entries in the lists of all classes.
  void List(PodClass& pod_class, CountColumn& column);
  void UnlistDropped(std::span<CountColumn* const> columns);
  // Removes the columns of one class for which the predicate returns true. The predicate runs once
  // for each column, and updates `classes` of a removed one.
  template <class Predicate>
  void UnlistIf(PodClass& pod_class, const Predicate& predicate);
  // Memory of an entry, a pointer.
  static constexpr size_t kBytesPerListed = sizeof(void*);
  size_t Listed() const { return listed_; }

  // Returns the requirement that the fewest classes meet, among those that need a label
  // (IsIndexed); null if there is none. Points into the matchers.
  const LabelMatcher::Requirement* Narrowest(std::span<const PodMatcher> matchers) const;
  // Visits the classes that meet a requirement returned by Narrowest; all classes for null.
  template <class Visitor>
  void Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) const;
  // Visits the classes of a namespace.
  template <class Visitor>
  void VisitNamespace(Symbol name, const Visitor& visitor) const;

  size_t size() const { return classes_.size(); }

 private:
  static constexpr size_t kManyKept = 1024;
  // Memory of a label of a class: its words, two positions and its entries in two lists.
  static constexpr size_t kBytesPerLabel = 300;

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
  size_t CountOf(const LabelMatcher::Requirement& required) const;
  void Post(PodClass& pod_class);
  void Unpost(const PodClass& pod_class);
  void Erase(PodClass& pod_class);

  std::unordered_set<std::unique_ptr<PodClass>, Hash, Equal> classes_;
  Postings<PodClass> by_label_;  // by LabelKey and AnyValueOf
  std::unordered_map<Symbol, std::vector<PodClass*>> by_namespace_;
  std::vector<PodClass*> kept_;
  size_t kept_labels_ = 0;  // of all kept classes
  size_t listed_ = 0;
};

// Returns key and value of a label as one number.
inline uint64_t LabelKey(Symbol key, Symbol value) { return uint64_t{key} << 32 | value; }
// Returns a number for all labels with a key; differs from the LabelKey of each of them.
inline uint64_t AnyValueOf(Symbol key) { return LabelKey(key, std::numeric_limits<Symbol>::max()); }

// Reports whether only pods with a label of the requirement's key meet it, so that it is indexed by
// its labels (VisitLabelKeys).
inline bool IsIndexed(const LabelMatcher::Requirement& required) {
  using Operator = api::Requirement::Operator;
  return required.op != Operator::kNotIn && required.op != Operator::kDoesNotExist;
}

// Visits the numbers of the labels that a requirement needs: of each value that it lists, or of the
// key if it does not list them. Requires: IsIndexed.
template <class Visitor>
void VisitLabelKeys(const LabelMatcher::Requirement& required, const Visitor& visitor) {
  if (required.op != api::Requirement::Operator::kIn) return visitor(AnyValueOf(required.key));
  for (const Symbol value : required.values) visitor(LabelKey(required.key, value));
}

template <class Visitor>
void PodClasses::Visit(const LabelMatcher::Requirement* required, const Visitor& visitor) const {
  if (required == nullptr) {
    for (const auto& each : classes_) visitor(*each);
    return;
  }
  VisitLabelKeys(*required, [&](uint64_t label_key) {
    for (const auto& posting : by_label_.Of(label_key)) visitor(*posting.thing);
  });
}

template <class Predicate>
void PodClasses::UnlistIf(PodClass& pod_class, const Predicate& predicate) {
  std::vector<CountColumn*>& columns = pod_class.columns;
  listed_ -= std::erase_if(columns, [&](CountColumn* each) { return predicate(*each); });
  if (columns.capacity() > 2 * columns.size()) columns.shrink_to_fit();
}

template <class Visitor>
void PodClasses::VisitNamespace(Symbol name, const Visitor& visitor) const {
  const auto found = by_namespace_.find(name);
  if (found == by_namespace_.end()) return;
  for (PodClass* each : found->second) visitor(*each);
}

// ByRequiredLabel is the reverse index: it finds the selectors that may match a class. An entry is
// indexed by the labels of its requirement (see PodClasses::Narrowest), or under kNoLabel.
template <class T>
class ByRequiredLabel {
 public:
  void Add(T& thing, const LabelMatcher::Requirement* required) {
    VisitNumbers(required, [&](uint64_t number) { things_.Add(number, thing); });
  }
  void Remove(T& thing, const LabelMatcher::Requirement* required) {
    size_t index = 0;
    VisitNumbers(required, [&](uint64_t number) { things_.Remove(number, thing, index++); });
    thing.postings.clear();
  }
  template <class Visitor>
  void VisitCandidates(const LabelSet& labels, const Visitor& visitor) const {
    const auto visit = [&](uint64_t number) {
      for (const auto& posting : things_.Of(number)) visitor(*posting.thing);
    };
    visit(kNoLabel);
    for (const auto& [key, value] : labels) {
      visit(LabelKey(key, value));
      visit(AnyValueOf(key));
    }
  }

 private:
  static constexpr uint64_t kNoLabel = std::numeric_limits<uint64_t>::max();  // not a label's

  template <class Visitor>
  static void VisitNumbers(const LabelMatcher::Requirement* required, const Visitor& visitor) {
    if (required == nullptr) return visitor(kNoLabel);
    VisitLabelKeys(*required, visitor);
  }

  Postings<T> things_;
};

// Reports whether all selectors match the pods of a class.
bool AllMatch(std::span<const PodMatcher> matchers, const PodClass& pod_class,
              const NamespaceTable& namespaces);

}  // namespace berth::scheduler
