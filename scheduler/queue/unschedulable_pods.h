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

// UnschedulablePods holds the pods that wait for an event, in groups of those that the same plugins
// refused. Whether a plugin asked for an event is the same for a whole group, so an event costs only
// the groups that it may help, however many pods wait. Within a group, pods of which the hints of
// these plugins read the same (Plugin::HintKeyOf) lie together, and one of them is asked for all.
// Owned by the scheduling thread.
class UnschedulablePods {
 public:
  void Add(QueueItem& item);
  // Requires: added, and refused by the same plugins since.
  void Remove(QueueItem& item);

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t gated() const { return gated_; }  // of those

  std::vector<QueueItem*> All() const;  // by sequence

  // ForThoseToAskAbout calls visit(pods by sequence) for the pods that the event may help, all that get
  // one answer at once: a plugin that refused them asked for it, or none refused them, or it is the
  // event of everything. A gated pod is only asked about when the plugin that gates it asked for the
  // event. Source: kube-scheduler pkg/scheduler/backend/queue/scheduling_queue.go,
  // moveAllToActiveOrBackoffQueue and isPodWorthRequeuing.
  template <class Visit>
  void ForThoseToAskAbout(const ClusterEvent& event, Visit&& visit) const;

 private:
  struct Rejection {
    const Profile* profile;
    PluginIndexSet rejected_by;
    PluginIndexSet pending_plugins;  // of these
    std::optional<size_t> gating_plugin;

    explicit Rejection(const QueuedPod& queued);
    bool MayEndWith(const ClusterEvent& event, PluginIndexSet interested) const;
    auto operator<=>(const Rejection&) const = default;
  };
  // By what the hints read of the pods; a pod whose hints may read anything lies alone.
  using Group = std::map<std::string, EquivalentPods>;

  std::map<Rejection, Group> groups_;  // no map in it is empty
  size_t size_ = 0;
  size_t gated_ = 0;
};

template <class Visit>
void UnschedulablePods::ForThoseToAskAbout(const ClusterEvent& event, Visit&& visit) const {
  const Profile* profile = nullptr;
  PluginIndexSet interested;
  for (const auto& [rejection, group] : groups_) {
    // The groups of a profile follow one another.
    if (rejection.profile != profile) {
      profile = rejection.profile;
      interested = profile->InterestedIn(event);
    }
    if (!rejection.MayEndWith(event, interested)) continue;
    for (const auto& [key, pods] : group) visit(pods.by_sequence);
  }
}

}  // namespace berth::scheduler
