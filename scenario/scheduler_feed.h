// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "scheduler/scheduler.h"

namespace berth::scenario {

// SchedulerFeed hands what the API server's watches say to the core: the one place that calls its
// event methods.
class SchedulerFeed {
 public:
  using Pod = std::shared_ptr<const api::Pod>;
  using Node = std::shared_ptr<const api::Node>;

  explicit SchedulerFeed(scheduler::Scheduler& scheduler) : scheduler_(scheduler) {}

  void PodSeen(const Pod& pod) { scheduler_.OnPod(pod); }  // new, or changed
  void PodDeleted(const Pod& pod) { scheduler_.OnPodDelete(pod->metadata.uid); }
  void NodeAdded(const Node& node) { scheduler_.OnNodeAdd(node); }
  void NodeChanged(const Node& before, const Node& after) {
    scheduler_.OnNodeUpdate(before, after);
  }
  void NodeDeleted(const Node& node) { scheduler_.OnNodeDelete(node); }

 private:
  scheduler::Scheduler& scheduler_;
};

}  // namespace berth::scenario
