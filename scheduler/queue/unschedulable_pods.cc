// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/unschedulable_pods.h"

#include <algorithm>

namespace berth::scheduler {

namespace {

// Append adds a group to a list that is by sequence and stays so.
void Append(const std::map<uint64_t, QueueItem*>& group, std::vector<QueueItem*>& items) {
  const auto size = static_cast<ptrdiff_t>(items.size());
  for (const auto& [sequence, item] : group) items.push_back(item);
  std::inplace_merge(
      items.begin(), items.begin() + size, items.end(),
      [](const QueueItem* a, const QueueItem* b) { return a->sequence < b->sequence; });
}

}  // namespace

UnschedulablePods::Refusal::Refusal(const QueuedPod& queued)
    : profile(queued.profile.get()),
      refused_by(queued.refused_by()),
      gating_plugin(queued.gating_plugin) {}

bool UnschedulablePods::Refusal::MayEndWith(const ClusterEvent& event,
                                            PluginIndexSet interested) const {
  if (gating_plugin && !interested.Has(*gating_plugin)) return false;
  return event.IsWildcard() || refused_by.empty() || interested.Intersects(refused_by);
}

void UnschedulablePods::Add(QueueItem& item) {
  groups_[Refusal(item.queued)].emplace(item.sequence, &item);
  ++size_;
  if (item.gated()) ++gated_;
}

void UnschedulablePods::Remove(const QueueItem& item) {
  const auto group = groups_.find(Refusal(item.queued));
  group->second.erase(item.sequence);
  if (group->second.empty()) groups_.erase(group);
  --size_;
  if (item.gated()) --gated_;
}

std::vector<QueueItem*> UnschedulablePods::All() const {
  std::vector<QueueItem*> items;
  for (const auto& [refusal, group] : groups_) Append(group, items);
  return items;
}

std::vector<QueueItem*> UnschedulablePods::ThoseToAskAbout(const ClusterEvent& event) const {
  std::vector<QueueItem*> items;
  const Profile* profile = nullptr;
  PluginIndexSet interested;
  for (const auto& [refusal, group] : groups_) {
    // The groups of a profile follow one another.
    if (refusal.profile != profile) {
      profile = refusal.profile;
      interested = profile->InterestedIn(event);
    }
    if (refusal.MayEndWith(event, interested)) Append(group, items);
  }
  return items;
}

}  // namespace berth::scheduler
