// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "scheduler/model/pod_info.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// Runs each plugin separately and adds nodeOrder, preEnqueue, preFilter and pluginFilter to
// `answer`, in the form of a fixture's `expect`.
void AddPluginAnswers(const Cluster& cluster, const scheduler::PendingPod& pod,
                      nlohmann::json& answer);

}  // namespace berth::conformance
