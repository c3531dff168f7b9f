// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// Returns the other placed members of the gangs that become incomplete without these pods: they are
// evicted, too. Members of this priority or more stay, as they do for any preemptor of it. They do
// not protect the others: one small pod of high priority would keep a whole gang from preemption.
// Terminating members are not included.
PodList RestOfSplitGangs(std::span<const std::shared_ptr<const PodInfo>> pods,
                         int32_t preemptor_priority, const Snapshot& snapshot);

}  // namespace berth::scheduler
