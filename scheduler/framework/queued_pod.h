// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// QueuedPod is a pending pod with its history in the queue. Source: kube-scheduler
// pkg/scheduler/framework/types.go, QueuedPodInfo.
struct QueuedPod {
  std::shared_ptr<const PodInfo> pod;
  // When it came into the queue or came back, by the queue's clock; not when it changes its part.
  SteadyTime timestamp{};
  std::optional<SteadyTime> initial_attempt;  // first entry to the active queue
  int32_t attempts = 0;
  int32_t unschedulable_count = 0;
  int32_t consecutive_errors = 0;
  bool was_flushed = false;  // left the unschedulable part because it waited too long
  std::set<std::string_view> unschedulable_plugins;
  std::set<std::string_view> pending_plugins;
  std::string_view gating_plugin;  // empty = not gated
};

}  // namespace berth::scheduler
