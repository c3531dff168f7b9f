// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/unschedulable_pods.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {

namespace {

// Alike begins the key of pods that may share it, Alone that of one that may not.
constexpr char kAlike = '=';
constexpr char kAlone = '!';

// What the hints of all plugins that refused the pod read of it.
std::string KeyOf(const QueueItem& item) {
  const QueuedPod& queued = item.queued;
  std::string text(1, kAlike);
  bool alike = true;
  queued.refused_by().ForEach([&](size_t plugin) {
    if (!alike) return;
    const ReuseKey key = queued.profile->HintKeyOf(plugin, *queued.pod);
    alike = key.usable();
    if (alike) text += std::to_string(key.text().size()) + ';' + key.text();
  });
  return alike ? text : kAlone + item.uid();
}

}  // namespace

UnschedulablePods::Refusal::Refusal(const QueuedPod& queued)
    : profile(queued.profile.get()),
      refused_by(queued.refused_by()),
      pending_plugins(queued.pending_plugins),
      gating_plugin(queued.gating_plugin) {}

bool UnschedulablePods::Refusal::MayEndWith(const ClusterEvent& event,
                                            PluginIndexSet interested) const {
  if (gating_plugin && !interested.Has(*gating_plugin)) return false;
  return event.IsWildcard() || refused_by.empty() || interested.Intersects(refused_by);
}

void UnschedulablePods::Add(QueueItem& item) {
  const auto place = groups_[Refusal(item.queued)].try_emplace(KeyOf(item)).first;
  item.like = &place->second;
  item.like->key = &place->first;
  item.like->by_sequence.emplace(item.sequence, &item);
  ++size_;
  if (item.gated()) ++gated_;
}

void UnschedulablePods::Remove(QueueItem& item) {
  LikePods& like = *std::exchange(item.like, nullptr);
  like.by_sequence.erase(item.sequence);
  if (like.by_sequence.empty()) {
    const auto group = groups_.find(Refusal(item.queued));
    group->second.erase(group->second.find(*like.key));
    if (group->second.empty()) groups_.erase(group);
  }
  --size_;
  if (item.gated()) --gated_;
}

std::vector<QueueItem*> UnschedulablePods::All() const {
  std::vector<QueueItem*> items;
  items.reserve(size_);
  for (const auto& [refusal, group] : groups_) {
    for (const auto& [key, pods] : group) {
      for (const auto& [sequence, item] : pods.by_sequence) items.push_back(item);
    }
  }
  std::ranges::sort(items, {}, &QueueItem::sequence);
  return items;
}

}  // namespace berth::scheduler
