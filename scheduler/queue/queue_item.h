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

// EquivalentPods are pods that one answer about an event is for (unschedulable_pods.h).
struct EquivalentPods {
  const std::string* key = nullptr;  // of the map that holds them
  std::map<uint64_t, QueueItem*> by_sequence;
};

// QueueItem is a pod in the queue, with its place there.
struct QueueItem {
  QueuedPod queued;
  uint64_t sequence = 0;  // of its way into the queue; makes every order total
  QueuePart part = QueuePart::kNone;
  SteadyTime backoff_expiry = SteadyTime::min();
  EquivalentPods* like = nullptr;  // in the unschedulable part: those it lies with

  bool gated() const { return queued.gating_plugin.has_value(); }
  const std::string& uid() const { return queued.pod->uid(); }
};

}  // namespace berth::scheduler
