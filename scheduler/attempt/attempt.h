// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "scheduler/framework/profile.h"
#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

class SchedulingQueue;  // queue/scheduling_queue.h

// Attempt is one try to place one pod, from Pop to binding or failure. It keeps its profile even if
// the configuration changes meanwhile.
struct Attempt {
  std::shared_ptr<const Profile> profile;
  QueuedPod queued;
  SteadyTime started{};
  CycleState state;
  // Once a node is chosen:
  NodeRef node;
  std::shared_ptr<const PendingPod> bound;  // the pod with spec.nodeName set
  VolumeBindings* volumes = nullptr;

  // Returns the context for the plugins after the choice of a node.
  CycleContext Cycle(const Snapshot& snapshot) { return {*bound, snapshot, state, volumes}; }
  const std::string& uid() const { return queued.pod->uid(); }
};

// AttemptFailure is the reason why an attempt ended without a binding, and the new nomination of
// the pod.
struct AttemptFailure {
  Status status;                         // with the plugin
  std::string message;                   // text for condition and event; empty: write neither
  PluginIndexSet unschedulable_plugins;  // of the attempt's profile
  PluginIndexSet pending_plugins;
  NominatingMode nominating = NominatingMode::kOverride;
  std::string nominated_node;  // with kOverride; empty clears
  // For a member of a failed gang:
  std::shared_ptr<const GangTurn> gang;    // the gang's new place in the queue
  SteadyTime not_before{};                 // earliest retry of the gang
  bool is_caused_by_other_member = false;  // another member's failure: record only new texts
};

// Returns the failure of an attempt after the choice of a node. A rejection by a plugin is a
// FitError for that single node, so events may requeue the pod. Anything else is an error, retried
// after the error backoff. Both clear the nomination.
AttemptFailure FailureAfterChoice(const Attempt& attempt, const Status& status);

// Activates the PodsToActivate collected so far.
void ActivateRequested(Attempt& attempt, SchedulingQueue& queue);

}  // namespace berth::scheduler
