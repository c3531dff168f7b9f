// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"
#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

enum class QueuePart : uint8_t { kNone, kActive, kBackoff, kErrorBackoff, kUnschedulable };

struct QueueItem;

// EquivalentPods share one hint result for an event (unschedulable_pods.h).
struct EquivalentPods {
  const std::string* key = nullptr;  // in the containing map
  std::map<uint64_t, QueueItem*> by_sequence;
};

// QueueItem is a pod in the queue with its position.
struct QueueItem {
  QueuedPod queued;
  uint64_t sequence = 0;  // order of arrival; makes each order total
  QueuePart part = QueuePart::kNone;
  SteadyTime backoff_expiry = SteadyTime::min();
  EquivalentPods* like = nullptr;  // only in the unschedulable part

  bool gated() const { return queued.gating_plugin.has_value(); }
  const std::string& uid() const { return queued.pod->uid(); }
};

}  // namespace berth::scheduler
