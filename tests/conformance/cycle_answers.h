// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "scheduler/framework/pod_info.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// AddCycleAnswers runs the whole profile and adds what it comes to: filter, feasible, the scores,
// pick, the errors and preemption. `filter` lists failures only in a sequence. The scores are
// computed over all feasible nodes, also where there is but one; `pick` and the errors come from
// SchedulePod itself.
void AddCycleAnswers(Cluster& cluster, const scheduler::PodInfo& pod, bool is_sequence,
                     nlohmann::json& answer);

}  // namespace berth::conformance
