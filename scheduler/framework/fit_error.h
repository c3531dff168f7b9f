// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// FitErrorText is kube-scheduler's message for a pod that fits none of `node_count` nodes, letter
// for letter: how many nodes gave which reason. Source: kube-scheduler
// pkg/scheduler/framework/types.go, FitError.Error.
std::string FitErrorText(const NodeVerdicts& verdicts, size_t node_count);

}  // namespace berth::scheduler
