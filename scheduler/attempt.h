// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "scheduler/framework/profile.h"
#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

class SchedulingQueue;  // queue/scheduling_queue.h

// Attempt is one try to place one pod, from Pop to bound or failed. It keeps the profile it began
// with, also when a new configuration comes meanwhile.
struct Attempt {
  std::shared_ptr<const Profile> profile;
  QueuedPod queued;
  SteadyTime started{};
  CycleState state;
  // Once a node is chosen:
  NodeRef node;
  std::shared_ptr<const PendingPod> bound;  // the pod with spec.nodeName set
  VolumeBindings* volumes = nullptr;

  // Cycle is what plugins are given from then on.
  CycleContext Cycle(const Snapshot& snapshot) { return {*bound, snapshot, state, volumes}; }
  const std::string& uid() const { return queued.pod->uid(); }
};

// AttemptFailure is why an attempt ended without a binding, and what becomes of the pod's
// nomination.
struct AttemptFailure {
  Status status;        // code; who said it
  std::string message;  // whole, for condition and event; empty: neither is written
  PluginIndexSet unschedulable_plugins;  // of the attempt's profile
  PluginIndexSet pending_plugins;
  NominatingMode nominating = NominatingMode::kOverride;
  std::string nominated_node;  // with kOverride; empty clears
  // Of a member of a gang, whose gang failed:
  std::shared_ptr<const GangTurn> gang;  // the gang's new place in the queue
  SteadyTime not_before{};               // when the gang may be tried again
  bool is_of_another = false;  // another member is the cause: an event tells only what is news
};

// FailureAfterChoice is how an attempt fails once it has a node: a plugin's refusal is a FitError
// about that one node, whose events may help; anything else is an error, retried after the backoff
// of errors. Either way the nomination is given up.
AttemptFailure FailureAfterChoice(const Attempt& attempt, const Status& status);

// ActivateWanted activates the PodsToActivate that have come together so far.
void ActivateWanted(Attempt& attempt, SchedulingQueue& queue);

}  // namespace berth::scheduler
