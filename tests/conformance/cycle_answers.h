// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "scheduler/model/pod_info.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// Runs the whole profile and adds the results: filter, feasible, the scores, pick, the errors,
// preemption and the volumes. In a sequence `filter` lists only rejections. The results come from
// the outcome and the trace of SchedulePod with the cluster's result cache. A NodeSurvey
// (node_survey.h) adds the verdicts and scores of the nodes that SchedulePod does not visit or
// score.
void AddCycleResults(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence,
                     nlohmann::json& answer);

}  // namespace berth::conformance
