// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/unschedulable_pods.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {

namespace {

// First character of the key of pods that may share it, and of a pod that may not.
constexpr char kEquivalent = '=';
constexpr char kUnique = '!';

// Returns the data of the pod that the hints of all rejecting plugins read.
std::string KeyOf(const QueueItem& item) {
  const QueuedPod& queued = item.queued;
  std::string text(1, kEquivalent);
  bool alike = true;
  queued.rejected_by().ForEach([&](size_t plugin) {
    if (!alike) return;
    const ResultKey key = queued.profile->HintKeyOf(plugin, *queued.pod);
    alike = key.usable();
    if (alike) text += std::to_string(key.text().size()) + ';' + key.text();
  });
  return alike ? text : kUnique + item.uid();
}

}  // namespace

UnschedulablePods::Rejection::Rejection(const QueuedPod& queued)
    : profile(queued.profile.get()),
      rejected_by(queued.rejected_by()),
      pending_plugins(queued.pending_plugins),
      gating_plugin(queued.gating_plugin) {}

bool UnschedulablePods::Rejection::MayEndWith(const ClusterEvent& event,
                                              PluginIndexSet interested) const {
  if (event.IsWildcard()) return true;
  if (gating_plugin && !interested.Has(*gating_plugin)) return false;
  return rejected_by.empty() || interested.Intersects(rejected_by);
}

void UnschedulablePods::Add(QueueItem& item) {
  const auto place = groups_[Rejection(item.queued)].try_emplace(KeyOf(item)).first;
  item.like = &place->second;
  item.like->key = &place->first;
  item.like->by_sequence.emplace(item.sequence, &item);
  ++size_;
  if (item.gated()) ++gated_;
}

void UnschedulablePods::Remove(QueueItem& item) {
  EquivalentPods& like = *std::exchange(item.like, nullptr);
  like.by_sequence.erase(item.sequence);
  if (like.by_sequence.empty()) {
    const auto group = groups_.find(Rejection(item.queued));
    group->second.erase(group->second.find(*like.key));
    if (group->second.empty()) groups_.erase(group);
  }
  --size_;
  if (item.gated()) --gated_;
}

std::vector<QueueItem*> UnschedulablePods::All() const {
  std::vector<QueueItem*> items;
  items.reserve(size_);
  for (const auto& [rejection, group] : groups_) {
    for (const auto& [key, pods] : group) {
      for (const auto& [sequence, item] : pods.by_sequence) items.push_back(item);
    }
  }
  std::ranges::sort(items, {}, &QueueItem::sequence);
  return items;
}

}  // namespace berth::scheduler
