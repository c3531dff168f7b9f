// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_classes.h"

#include <algorithm>
#include <utility>

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
  pod_class.postings.reserve(pod_class.labels.size());
  for (size_t i = 0; i < pod_class.labels.size(); ++i) {
    const auto& [key, value] = pod_class.labels[i];
    std::vector<Posting>& list = by_label_[LabelKey(key, value)];
    pod_class.postings.push_back(static_cast<uint32_t>(list.size()));
    list.push_back({&pod_class, static_cast<uint32_t>(i)});
  }
}

void PodClasses::Unpost(const PodClass& pod_class) {
  for (size_t i = 0; i < pod_class.labels.size(); ++i) {
    const auto& [key, value] = pod_class.labels[i];
    const auto found = by_label_.find(LabelKey(key, value));
    std::vector<Posting>& list = found->second;
    const Posting last = list.back();
    list[pod_class.postings[i]] = last;
    last.pod_class->postings[last.label] = pod_class.postings[i];
    list.pop_back();
    if (list.empty()) by_label_.erase(found);
  }
}

void PodClasses::Erase(PodClass& pod_class) {
  Unpost(pod_class);
  classes_.erase(classes_.find(LikeOf(pod_class)));
}

void PodClasses::Keep(PodClass& pod_class) {
  if (!std::exchange(pod_class.kept, true)) kept_.push_back(&pod_class);
}

void PodClasses::DropKept() {
  for (PodClass* each : kept_) {
    each->kept = false;
    if (each->members.empty()) Erase(*each);
  }
  kept_.clear();
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
  for (const Symbol value : required.values) {
    const auto found = by_label_.find(LabelKey(required.key, value));
    classes += found == by_label_.end() ? 0 : found->second.size();
  }
  return classes;
}

const LabelMatcher::Requirement* PodClasses::Narrowest(std::span<const PodMatcher> matchers) const {
  const LabelMatcher::Requirement* narrowest = nullptr;
  size_t fewest = 0;
  for (const PodMatcher& matcher : matchers) {
    for (const LabelMatcher::Requirement& each : matcher.labels().requirements()) {
      if (each.op != api::Requirement::Operator::kIn) continue;
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
