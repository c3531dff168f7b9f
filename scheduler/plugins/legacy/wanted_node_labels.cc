// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/wanted_node_labels.h"

#include <algorithm>

#include "api/labels.h"

namespace berth::scheduler {
namespace {

LabelMatcher MatcherOf(const api::StringMap& values, const Vocabulary& words) {
  return LabelMatcher::Passing(api::Selector::FromMap(values).requirements(), words);
}

}  // namespace

WantedNodeLabels::WantedNodeLabels(const CycleContext& cycle, std::span<const std::string> names)
    : matcher_(MatcherOf({}, cycle.snapshot.Words())) {
  const api::StringMap& node_selector = cycle.pod.pod().spec.node_selector.ValueOrDefault();
  for (const std::string& name : names) {
    const auto label = node_selector.find(name);
    if (label != node_selector.end()) {
      chosen_.insert(*label);
    } else {
      open_.push_back(&name);
    }
  }
  if (!open_.empty()) FindEquivalentPods(cycle);
  values_ = With(cycle.snapshot, first_);
  matcher_ = MatcherOf(values_, cycle.snapshot.Words());
}

void WantedNodeLabels::FindEquivalentPods(const CycleContext& cycle) {
  if (!cycle.snapshot.FirstServiceSelector(cycle.pod)) return open_.clear();
  like_ = {.namespaces = {cycle.pod.namespace_()},
           .labels = api::Selector::FromMap(cycle.pod.pod().metadata.labels)};
  equivalent_pods_ = cycle.snapshot.Pods().BySlot({.all_of = {like_}});
  first_ = FirstWithEquivalentPods(cycle.snapshot, kNoSlot);
}

Slot WantedNodeLabels::FirstWithEquivalentPods(const Snapshot& snapshot, Slot without) const {
  const auto order = snapshot.Order();
  const auto found = std::ranges::find_if(
      order, [&](Slot slot) { return slot != without && equivalent_pods_[slot] > 0; });
  return found != order.end() ? *found : kNoSlot;
}

api::StringMap WantedNodeLabels::With(const Snapshot& snapshot, Slot slot) const {
  api::StringMap values = chosen_;
  if (slot == kNoSlot) return values;
  const api::StringMap& labels = snapshot.At(slot).node->metadata.labels;
  for (const std::string* name : open_) {
    if (const auto label = labels.find(*name); label != labels.end()) values.insert(*label);
  }
  return values;
}

bool WantedNodeLabels::AreOnSimulated(const CycleContext& cycle, const NodeView& node) const {
  if (first_ != node.slot()) return AreOn(node.info());
  int64_t left = equivalent_pods_[first_];
  node.delta()->ForEach([&](const PodInfo& pod, int sign) {
    if (sign < 0 && cycle.snapshot.Pods().Matches(like_, pod)) --left;
  });
  if (left > 0) return AreOn(node.info());
  const Slot next = FirstWithEquivalentPods(cycle.snapshot, first_);
  return MatcherOf(With(cycle.snapshot, next), cycle.snapshot.Words()).Matches(node.info().labels);
}

}  // namespace berth::scheduler
