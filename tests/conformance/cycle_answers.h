// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "scheduler/model/pod_info.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// AddCycleResults runs the whole profile and adds the results: filter, feasible, the scores, pick,
// the errors, preemption and the volumes. `filter` lists only rejections in a sequence. They come
// from the outcome and the trace of SchedulePod with the cluster's Reuse. The verdicts and scores of
// the nodes that SchedulePod does not visit or score come from a NodeSurvey (node_survey.h).
void AddCycleResults(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence,
                     nlohmann::json& answer);

}  // namespace berth::conformance
