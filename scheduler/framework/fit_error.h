// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Returns kube-scheduler's message for a pod that fits none of `node_count` nodes, character for
// character: the number of nodes for each reason. Source: kube-scheduler
// pkg/scheduler/framework/types.go, FitError.Error.
std::string FitErrorText(const NodeVerdicts& verdicts, size_t node_count);

}  // namespace berth::scheduler
