// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace berth::scheduler {

// PluginCounts is what plugins count for the metrics of their scheduler where no answer of theirs
// could say it. Only grows. Owned by the scheduling thread.
struct PluginCounts {
  uint64_t failed_scores = 0;  // expressions that could not be evaluated, and so counted as 0
};

}  // namespace berth::scheduler
