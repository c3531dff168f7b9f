// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "scheduler/framework/plugin_index_set.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

class Profile;    // profile.h
struct GangTurn;  // scheduler/model/gang.h

// QueuedPod is a pending pod with its history in the queue. Source: kube-scheduler
// pkg/scheduler/framework/types.go, QueuedPodInfo.
struct QueuedPod {
  std::shared_ptr<const PendingPod> pod;
  std::shared_ptr<const Profile> profile;  // the indices below refer to its plugins
  // Time of the last (re)queueing, by the queue's clock; moves within the queue do not change it.
  SteadyTime timestamp{};
  std::optional<SteadyTime> initial_attempt;  // first entry to the active queue
  int32_t attempts = 0;
  int32_t unschedulable_count = 0;
  int32_t consecutive_errors = 0;
  bool was_flushed = false;  // left the unschedulable pods because it waited too long
  SteadyTime flushed_at{};   // last time that it was to leave them, if it was still gated
  PluginIndexSet unschedulable_plugins;
  PluginIndexSet pending_plugins;
  std::optional<size_t> gating_plugin;   // absent = not gated
  std::shared_ptr<const GangTurn> gang;  // null: the pod belongs to no gang
  bool waits_out_backoff = false;        // even if the active queue is empty
  SteadyTime not_before{};               // the backoff ends no earlier than this

  PluginIndexSet rejected_by() const { return unschedulable_plugins | pending_plugins; }
};

}  // namespace berth::scheduler
