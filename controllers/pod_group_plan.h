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

// A warning event is recorded for a PodGroup without a running pod this long after its creation.
inline constexpr std::chrono::hours kPodGroupPatience{48};

// GroupPods are the pods of one PodGroup, by name. Only their names, labels, owners and phases are
// used.
using GroupPods = std::map<std::string, std::shared_ptr<const api::Pod>>;

// Returns the desired status of a PodGroup: the numbers of its running and ended pods, and the
// phase:
//
//   Pending ◀──fewer pods than minMember──▶ Scheduling ◀──minMember run or have succeeded──▶ Running
//                                               │                                               │
//                                               └──▶ Failed: one failed, minMember run or ended ◀┤
//                                                    Finished: minMember have succeeded ◀────────┘
//
// Failed and Finished are final, since ended pods are deleted sooner or later. Only pods in the
// PodGroup's namespace count; upstream counts pods of all namespaces. Pure and idempotent. Source:
// scheduler-plugins pkg/controllers/podgroup_controller.go, Reconcile.
api::PodGroupStatus StatusOf(const api::PodGroup& group, const GroupPods& pods);

// Returns the time left until a PodGroup with this status is overdue for its first running pod;
// zero or less if it is overdue, nullopt if it does not wait for a pod.
std::optional<std::chrono::nanoseconds> OverdueIn(const api::PodGroup& group,
                                                  const api::PodGroupStatus& status, Time now);

}  // namespace berth::controllers
