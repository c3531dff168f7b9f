// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// Returns the other placed members of the gangs that become incomplete without these pods: they are
// evicted, too. Terminating members are not included.
PodList RestOfSplitGangs(std::span<const std::shared_ptr<const PodInfo>> pods,
                         const Snapshot& snapshot);

}  // namespace berth::scheduler
