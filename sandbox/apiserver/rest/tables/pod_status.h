// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"

namespace berth::apiserver {

// PodSummary holds the columns of `kubectl get pods`.
struct PodSummary {
  std::string ready;     // "1/2"
  std::string status;    // "Running", "CrashLoopBackOff", "Init:0/1", "Terminating"
  std::string restarts;  // "3", "3 (5m ago)"
  std::string readiness_gates;
};

// Computes the columns like printPod of pkg/printers/internalversion.
PodSummary SummarizePod(const nlohmann::json& pod, Time now);

}  // namespace berth::apiserver
