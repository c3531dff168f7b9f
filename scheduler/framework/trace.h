// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/status.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// CycleTrace records the results of one attempt for debug logs, explanations, scenario tests and
// the conformance runner. The framework writes it; plugins do not see it. Rows are in call order.
// For an extender, `plugin` is its URL, `raw` its score and `normalized` ten times that. Names are
// valid as long as the profile.
struct CycleTrace {
  struct PointRow {  // called once per pod: PreFilter, PreScore, PostFilter, Reserve, Permit, Bind
    ExtensionPoint point;
    std::string_view plugin;
    Status status;
  };
  struct FilterRow {
    std::string_view plugin;
    Slot slot;
    Verdict verdict;
    bool simulated;  // with nominated pods added
  };
  struct ScoreRow {
    std::string_view plugin;
    Slot slot;
    int64_t raw;
    int64_t normalized;
    int64_t weight;
  };
  struct TotalRow {
    Slot slot;
    int64_t total;
  };
  std::vector<PointRow> points;
  std::vector<FilterRow> filters;
  std::vector<ScoreRow> scores;
  std::vector<TotalRow> totals;  // of the feasible nodes, in visiting order
};

}  // namespace berth::scheduler
