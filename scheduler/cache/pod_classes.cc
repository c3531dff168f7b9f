// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_classes.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "scheduler/cache/count_column.h"

namespace berth::scheduler {

PodClasses::Like PodClasses::LikeOf(const PodClass& pod_class) {
  return {pod_class.namespace_name, pod_class.labels};
}

size_t PodClasses::Hash::operator()(const Like& like) const {
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15u;  // 2^64 / phi
  uint64_t hash = like.namespace_name;
  for (const auto& [key, value] : like.labels) {
    hash = (hash ^ LabelKey(key, value)) * kSpread;
    hash ^= hash >> 32;
  }
  return hash;
}

PodClass* PodClasses::Find(const PodInfo& pod) const {
  const auto found = classes_.find(Like{pod.namespace_word(), pod.labels()});
  return found == classes_.end() ? nullptr : found->get();
}

PodClass& PodClasses::Make(const PodInfo& pod) {
  auto made = std::make_unique<PodClass>();
  made->namespace_name = pod.namespace_word();
  made->labels = pod.labels();
  PodClass& pod_class = **classes_.insert(std::move(made)).first;
  Post(pod_class);
  return pod_class;
}

void PodClasses::Post(PodClass& pod_class) {
  pod_class.postings.reserve(2 * pod_class.labels.size());
  for (const auto& [key, value] : pod_class.labels) {
    PostAs(pod_class, LabelKey(key, value));
    PostAs(pod_class, AnyValueOf(key));
  }
  std::vector<PodClass*>& siblings = by_namespace_[pod_class.namespace_name];
  pod_class.place_in_namespace = static_cast<uint32_t>(siblings.size());
  siblings.push_back(&pod_class);
}

void PodClasses::PostAs(PodClass& pod_class, uint64_t label_key) {
  std::vector<Posting>& list = by_label_[label_key];
  const auto index = static_cast<uint32_t>(pod_class.postings.size());
  pod_class.postings.push_back(static_cast<uint32_t>(list.size()));
  list.push_back({&pod_class, index});
}

void PodClasses::Unpost(const PodClass& pod_class) {
  for (size_t i = 0; i < pod_class.labels.size(); ++i) {
    const auto& [key, value] = pod_class.labels[i];
    UnpostAs(LabelKey(key, value), pod_class.postings[2 * i]);
    UnpostAs(AnyValueOf(key), pod_class.postings[2 * i + 1]);
  }
  const auto found = by_namespace_.find(pod_class.namespace_name);
  std::vector<PodClass*>& siblings = found->second;
  siblings[pod_class.place_in_namespace] = siblings.back();
  siblings.back()->place_in_namespace = pod_class.place_in_namespace;
  siblings.pop_back();
  if (siblings.empty()) by_namespace_.erase(found);
}

void PodClasses::UnpostAs(uint64_t label_key, uint32_t place) {
  const auto found = by_label_.find(label_key);
  std::vector<Posting>& list = found->second;
  const Posting last = list.back();
  list[place] = last;
  last.pod_class->postings[last.index] = place;
  list.pop_back();
  if (list.empty()) by_label_.erase(found);
}

void PodClasses::Erase(PodClass& pod_class) {
  for (CountColumn* column : pod_class.columns) --column->classes;
  listed_ -= pod_class.columns.size();
  Unpost(pod_class);
  classes_.erase(classes_.find(LikeOf(pod_class)));
}

void PodClasses::Keep(PodClass& pod_class) {
  if (!std::exchange(pod_class.kept, true)) kept_.push_back(&pod_class);
}

void PodClasses::DropKept() {
  for (PodClass* each : kept_) {
    each->kept = false;
    each->terms = {};
    each->terms_version = 0;
    if (each->members.empty()) Erase(*each);
  }
  kept_.clear();
}

void PodClasses::List(PodClass& pod_class, CountColumn& column) {
  pod_class.columns.push_back(&column);
  ++column.classes;
  ++listed_;
}

// Many columns have the same requirement, so each list of the index is visited once.
void PodClasses::UnlistDropped(std::span<CountColumn* const> columns) {
  const auto unlist = [this](PodClass& each) {
    UnlistIf(each, [](const CountColumn& column) { return column.dropped; });
  };
  const auto is_anywhere = [](const CountColumn* each) { return each->required == nullptr; };
  if (std::ranges::any_of(columns, is_anywhere)) return Visit(nullptr, unlist);
  std::unordered_set<uint64_t> visited;
  for (const CountColumn* column : columns) {
    VisitLabelKeys(*column->required, [&](uint64_t label_key) {
      const auto found = by_label_.find(label_key);
      if (found == by_label_.end() || !visited.insert(label_key).second) return;
      for (const Posting& posting : found->second) unlist(*posting.pod_class);
    });
  }
}

void PodClasses::Join(PodClass& pod_class, Slot slot, bool terminating, CountedPod& pod) {
  pod.pod_class = &pod_class;
  pod.place = static_cast<uint32_t>(pod_class.members.size());
  pod_class.members.push_back({slot, terminating, &pod});
}

void PodClasses::Leave(CountedPod& pod) {
  PodClass& pod_class = *std::exchange(pod.pod_class, nullptr);
  std::vector<PodClass::Member>& members = pod_class.members;
  members[pod.place] = members.back();
  members[pod.place].pod->place = pod.place;
  members.pop_back();
  if (members.empty() && !pod_class.kept) Erase(pod_class);
}

size_t PodClasses::CountOf(const LabelMatcher::Requirement& required) const {
  size_t classes = 0;
  VisitLabelKeys(required, [&](uint64_t label_key) {
    const auto found = by_label_.find(label_key);
    classes += found == by_label_.end() ? 0 : found->second.size();
  });
  return classes;
}

const LabelMatcher::Requirement* PodClasses::Narrowest(std::span<const PodMatcher> matchers) const {
  const LabelMatcher::Requirement* narrowest = nullptr;
  size_t fewest = 0;
  for (const PodMatcher& matcher : matchers) {
    for (const LabelMatcher::Requirement& each : matcher.labels().requirements()) {
      if (!IsIndexed(each)) continue;
      const size_t classes = CountOf(each);
      if (narrowest != nullptr && classes >= fewest) continue;
      narrowest = &each;
      fewest = classes;
    }
  }
  return narrowest;
}

bool AllMatch(std::span<const PodMatcher> matchers, const PodClass& pod_class,
              const NamespaceTable& namespaces) {
  if (matchers.empty()) return true;
  const LabelSet& of_namespace = namespaces.LabelsOrNone(pod_class.namespace_name);
  return std::ranges::all_of(matchers, [&](const PodMatcher& matcher) {
    return matcher.Matches(pod_class.namespace_name, of_namespace, pod_class.labels);
  });
}

}  // namespace berth::scheduler
