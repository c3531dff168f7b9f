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
    by_label_.Add(LabelKey(key, value), pod_class);
    by_label_.Add(AnyValueOf(key), pod_class);
  }
  std::vector<PodClass*>& siblings = by_namespace_[pod_class.namespace_name];
  pod_class.place_in_namespace = static_cast<uint32_t>(siblings.size());
  siblings.push_back(&pod_class);
}

void PodClasses::Unpost(const PodClass& pod_class) {
  for (size_t i = 0; i < pod_class.labels.size(); ++i) {
    const auto& [key, value] = pod_class.labels[i];
    by_label_.Remove(LabelKey(key, value), pod_class, 2 * i);
    by_label_.Remove(AnyValueOf(key), pod_class, 2 * i + 1);
  }
  const auto found = by_namespace_.find(pod_class.namespace_name);
  std::vector<PodClass*>& siblings = found->second;
  siblings[pod_class.place_in_namespace] = siblings.back();
  siblings.back()->place_in_namespace = pod_class.place_in_namespace;
  siblings.pop_back();
  if (siblings.empty()) by_namespace_.erase(found);
}

void PodClasses::Erase(PodClass& pod_class) {
  for (CountColumn* column : pod_class.columns) --column->classes;
  listed_ -= pod_class.columns.size();
  Unpost(pod_class);
  classes_.erase(classes_.find(LikeOf(pod_class)));
}

void PodClasses::Keep(PodClass& pod_class) {
  if (std::exchange(pod_class.kept, true)) return;
  kept_.push_back(&pod_class);
  kept_labels_ += pod_class.labels.size();
}

void PodClasses::DropKept() {
  for (PodClass* each : kept_) {
    each->kept = false;
    each->terms = {};
    each->terms_version = 0;
    if (each->members.empty()) Erase(*each);
  }
  kept_.clear();
  kept_labels_ = 0;
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
      if (!visited.insert(label_key).second) return;
      for (const auto& posting : by_label_.Of(label_key)) unlist(*posting.thing);
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
  VisitLabelKeys(required, [&](uint64_t label_key) { classes += by_label_.Of(label_key).size(); });
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
