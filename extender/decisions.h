// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/extender.h"
#include "base/error.h"
#include "scheduler/framework/extender_port.h"
#include "scheduler/framework/profile.h"

// What a profile's plugins say to the questions of an extender, in the core's terms. Functions of
// snapshot, pod and profile; on the thread that owns the snapshot. Errors are those of plugins that
// failed.
namespace berth::extender {

// FilterNodes asks the filters about each node. Who is refused as unresolvable, no preemption helps.
Result<scheduler::ExtenderVerdicts> FilterNodes(const scheduler::Profile& profile,
                                                const scheduler::Snapshot& snapshot,
                                                const scheduler::PendingPod& pod,
                                                std::span<const scheduler::Slot> nodes);

// ScoreNodes gives each node the weighted sum of its normalised scores, 0 where no plugin scores.
// The sum is not brought to the protocol's 0 to 10: kube-scheduler takes any, and rounding would
// lose the order (docs/design/0027).
Result<std::vector<scheduler::ExtenderScore>> ScoreNodes(const scheduler::Profile& profile,
                                                         const scheduler::Snapshot& snapshot,
                                                         const scheduler::PendingPod& pod,
                                                         std::span<const scheduler::Slot> nodes);

// VictimsOnNode is a node with the pods that would leave it.
struct VictimsOnNode {
  scheduler::Slot slot;
  std::vector<std::string> uids;  // those that are not there have left already
};

// FitsWithout says of each node whether the pod passes the filters there once its victims are gone.
Result<std::vector<bool>> FitsWithout(const scheduler::Profile& profile,
                                      const scheduler::Snapshot& snapshot,
                                      const scheduler::PendingPod& pod,
                                      std::span<const VictimsOnNode> candidates);

}  // namespace berth::extender
