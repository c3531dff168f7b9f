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
  std::shared_ptr<const Profile> profile;  // whose plugins the indices below mean
  // When it came into the queue or came back, by the queue's clock; not when it changes its part.
  SteadyTime timestamp{};
  std::optional<SteadyTime> initial_attempt;  // first entry to the active queue
  int32_t attempts = 0;
  int32_t unschedulable_count = 0;
  int32_t consecutive_errors = 0;
  bool was_flushed = false;  // left the unschedulable part because it waited too long
  PluginIndexSet unschedulable_plugins;
  PluginIndexSet pending_plugins;
  std::optional<size_t> gating_plugin;   // absent = not gated
  std::shared_ptr<const GangTurn> gang;  // null: it is in none
  bool waits_out_backoff = false;        // though nothing else be active
  SteadyTime not_before{};               // its backoff does not end before

  PluginIndexSet rejected_by() const { return unschedulable_plugins | pending_plugins; }
};

}  // namespace berth::scheduler
