// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "api/pod_group.h"
#include "base/time.h"

namespace berth::controllers {

inline constexpr std::string_view kPodGroupPending = "Pending";
inline constexpr std::string_view kPodGroupScheduling = "Scheduling";
inline constexpr std::string_view kPodGroupRunning = "Running";
inline constexpr std::string_view kPodGroupFinished = "Finished";
inline constexpr std::string_view kPodGroupFailed = "Failed";

// A PodGroup of which no pod runs so long after it was made is warned of.
inline constexpr std::chrono::hours kPodGroupPatience{48};

// GroupPods are the pods of one PodGroup, by name. Of each only its name, labels, owners and phase
// count.
using GroupPods = std::map<std::string, std::shared_ptr<const api::Pod>>;

// StatusOf is the status that a PodGroup should have: how many of its pods run and have ended, and
//
//   Pending ◀──fewer pods than minMember──▶ Scheduling ◀──minMember run or have succeeded──▶ Running
//                                               │                                               │
//                                               └──▶ Failed: one failed, minMember run or ended ◀┤
//                                                    Finished: minMember have succeeded ◀────────┘
//
// Failed and Finished stay, since pods that have ended are deleted sooner or later. The pods are
// those of the PodGroup's own namespace; upstream counts those of all namespaces. Pure: of a status
// that it gave it gives the same.
// Source: scheduler-plugins pkg/controllers/podgroup_controller.go, Reconcile.
api::PodGroupStatus StatusOf(const api::PodGroup& group, const GroupPods& pods);

// OverdueIn is how long a PodGroup of this status may still wait for its first running pod, zero or
// less when it has for too long; nothing for one that waits for none.
std::optional<std::chrono::nanoseconds> OverdueIn(const api::PodGroup& group,
                                                  const api::PodGroupStatus& status, Time now);

}  // namespace berth::controllers
