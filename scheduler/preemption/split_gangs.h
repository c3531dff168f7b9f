// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// RestOfSplitGangs lists the members on nodes that are of no use once these pods are gone, because
// their gangs cannot do without them: when one goes all go. Terminating members are not among them.
PodList RestOfSplitGangs(std::span<const std::shared_ptr<const PodInfo>> pods,
                         const Snapshot& snapshot);

}  // namespace berth::scheduler
