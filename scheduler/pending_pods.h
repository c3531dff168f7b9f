// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// PendingPods is what the API server last said about each unassigned pod of a name we serve, by
// UID: the place to look whether a pod whose attempt ended still wants a node. Pods that are
// assumed are in it too, until their binding is seen. Owned by the scheduling thread.
using PendingPods = std::unordered_map<std::string, std::shared_ptr<const PodInfo>>;

}  // namespace berth::scheduler
