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

// CycleTrace records each answer of one attempt, when an observer asks for it: debug logs,
// explanations, scenario tests and the conformance runner read it. The framework writes it; no
// plugin knows of it. Rows come in the order of the calls. Of an extender `plugin` is its URL,
// `raw` what it gave and `normalized` ten times that. Names are good as long as the profile.
struct CycleTrace {
  struct PointRow {  // asked once a pod: PreFilter, PreScore, PostFilter, Reserve, Permit, Bind
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
  std::vector<TotalRow> totals;  // of the nodes that fit, in visiting order
};

}  // namespace berth::scheduler
