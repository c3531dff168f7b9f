// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::scheduler {

// QueueName is a part of the queue, in the words of the metrics. Gated pods lie with the
// unschedulable ones but are counted apart.
enum class QueueName : uint8_t { kActive, kBackoff, kUnschedulable, kGated };
std::string_view ToString(QueueName name);  // "active", "backoff", "unschedulable", "gated"

// QueueObserver hears of what moves in the queue. Called on the scheduling thread; must return at
// once and not call back.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  // A pod came into a part of the queue; `event` is the label of what brought it:
  // "UnschedulablePodAdd", "NodeAdd", "ScheduleAttemptFailure", … Source:
  // scheduler_queue_incoming_pods_total.
  virtual void OnQueueIncoming(QueueName /*queue*/, std::string_view /*event*/) {}
};

}  // namespace berth::scheduler
