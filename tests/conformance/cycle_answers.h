// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "scheduler/model/pod_info.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// AddCycleAnswers runs the whole profile and adds what it comes to: filter, feasible, the scores,
// pick, the errors and preemption, and what becomes of volumes. `filter` lists failures only in a sequence. All of it comes from
// SchedulePod with the cluster's Reuse, by its trace and outcome; only the scores of a node without
// rival, which SchedulePod does not ask for, are computed apart.
void AddCycleAnswers(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence,
                     nlohmann::json& answer);

}  // namespace berth::conformance
