// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "scheduler/framework/profile.h"
#include "scheduler/queue/queue_item.h"

namespace berth::scheduler {

// UnschedulablePods holds the pods that wait for an event, in groups of those that the same plugins
// refused. Whether a plugin asked for an event is the same for a whole group, so an event costs
// only the groups that it may help, however many pods wait. Lists are by sequence, so that moves
// have one order. Owned by the scheduling thread.
//
// Invariant: a pod lies in the group of what refused it, because that changes only outside.
class UnschedulablePods {
 public:
  void Add(QueueItem& item);
  // Requires: added, and refused by the same plugins since.
  void Remove(const QueueItem& item);

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t gated() const { return gated_; }  // of those

  std::vector<QueueItem*> All() const;
  // ThoseToAskAbout are the pods that the event may help: a plugin that refused them asked for it,
  // or none refused them, or it is the event of everything. A gated pod is only asked about when
  // the plugin that gates it asked for the event. Source: kube-scheduler
  // pkg/scheduler/backend/queue/scheduling_queue.go, moveAllToActiveOrBackoffQueue and
  // isPodWorthRequeuing.
  std::vector<QueueItem*> ThoseToAskAbout(const ClusterEvent& event) const;

 private:
  struct Refusal {
    const Profile* profile;
    PluginIndexSet refused_by;
    std::optional<size_t> gating_plugin;

    explicit Refusal(const QueuedPod& queued);
    bool MayEndWith(const ClusterEvent& event, PluginIndexSet interested) const;
    auto operator<=>(const Refusal&) const = default;
  };
  using Group = std::map<uint64_t, QueueItem*>;  // by sequence

  std::map<Refusal, Group> groups_;  // none is empty
  size_t size_ = 0;
  size_t gated_ = 0;
};

}  // namespace berth::scheduler
