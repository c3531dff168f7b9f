// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/extender.h"
#include "base/error.h"
#include "scheduler/framework/extender_port.h"
#include "scheduler/framework/profile.h"

// Runs a profile's plugins for the verbs of an extender. Functions of snapshot, pod and profile, on
// the thread that owns the snapshot. Errors are those of failed plugins.
namespace berth::extender {

// Runs the filters on each node. Preemption cannot help nodes that are rejected as unresolvable.
Result<scheduler::ExtenderVerdicts> FilterNodes(const scheduler::Profile& profile,
                                                const scheduler::Snapshot& snapshot,
                                                const scheduler::PendingPod& pod,
                                                std::span<const scheduler::Slot> nodes);

// Returns the weighted sum of each node's normalised scores, 0 without score plugins. The sum is
// not scaled to the protocol's 0 to 10: kube-scheduler accepts any score, and rounding would lose
// the order (docs/design/0027).
Result<std::vector<scheduler::ExtenderScore>> ScoreNodes(const scheduler::Profile& profile,
                                                         const scheduler::Snapshot& snapshot,
                                                         const scheduler::PendingPod& pod,
                                                         std::span<const scheduler::Slot> nodes);

// VictimsOnNode is a node with the pods to be preempted there.
struct VictimsOnNode {
  scheduler::Slot slot;
  std::vector<std::string> uids;  // UIDs that are not on the node are ignored
};

// Returns for each node whether the pod passes the filters there after its victims have been
// removed.
Result<std::vector<bool>> FitsWithout(const scheduler::Profile& profile,
                                      const scheduler::Snapshot& snapshot,
                                      const scheduler::PendingPod& pod,
                                      std::span<const VictimsOnNode> candidates);

}  // namespace berth::extender
