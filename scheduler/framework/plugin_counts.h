// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace berth::scheduler {

// PluginCounts are counters of plugins for the metrics, for facts that no plugin result shows. They
// only grow. Owned by the scheduling thread.
struct PluginCounts {
  uint64_t failed_scores = 0;  // expressions that failed to evaluate and were scored as 0
};

}  // namespace berth::scheduler
