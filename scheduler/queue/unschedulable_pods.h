// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/framework/profile.h"
#include "scheduler/queue/queue_item.h"

namespace berth::scheduler {

// UnschedulablePods holds the pods that wait for an event, grouped by the plugins that rejected
// them. All pods of a group have registered for the same events, so an event only costs the groups
// that it may help. Within a group, pods form equivalence classes: the hints of these plugins read
// the same data of each pod (Plugin::HintKeyOf), so one hint call is valid for all. Owned by the
// scheduling thread.
class UnschedulablePods {
 public:
  void Add(QueueItem& item);
  // Requires: added, and rejected by the same plugins since.
  void Remove(QueueItem& item);

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t gated() const { return gated_; }  // part of size()

  std::vector<QueueItem*> All() const;  // by sequence

  // Calls visit(pods by sequence) for each equivalence class that the event may help: a rejecting
  // plugin registered for the event, or no plugin rejected the pods, or it is the wildcard event.
  // For a gated pod, the gating plugin must have registered for any event but the wildcard one.
  // Source: kube-scheduler pkg/scheduler/backend/queue/scheduling_queue.go,
  // moveEntitiesToActiveOrBackoffQueue and isPodWorthRequeuing.
  template <class Visit>
  void ForEachCandidate(const ClusterEvent& event, Visit&& visit) const;

 private:
  struct Rejection {
    const Profile* profile;
    PluginIndexSet rejected_by;
    PluginIndexSet pending_plugins;  // a subset of rejected_by
    std::optional<size_t> gating_plugin;

    explicit Rejection(const QueuedPod& queued);
    bool MayEndWith(const ClusterEvent& event, PluginIndexSet interested) const;
    auto operator<=>(const Rejection&) const = default;
  };
  // By the data that the hints read of a pod; a pod with arbitrary hints is alone.
  using Group = std::map<std::string, EquivalentPods>;

  std::map<Rejection, Group> groups_;  // no empty groups
  size_t size_ = 0;
  size_t gated_ = 0;
};

template <class Visit>
void UnschedulablePods::ForEachCandidate(const ClusterEvent& event, Visit&& visit) const {
  const Profile* profile = nullptr;
  PluginIndexSet interested;
  for (const auto& [rejection, group] : groups_) {
    // The groups of a profile are adjacent.
    if (rejection.profile != profile) {
      profile = rejection.profile;
      interested = profile->InterestedIn(event);
    }
    if (!rejection.MayEndWith(event, interested)) continue;
    for (const auto& [key, pods] : group) visit(pods.by_sequence);
  }
}

}  // namespace berth::scheduler
