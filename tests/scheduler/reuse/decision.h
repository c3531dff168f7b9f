// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler::testing {

// Decision is what SchedulePod came to, with all that led to it.
struct Decision {
  std::shared_ptr<CycleState> state;  // holds the reasons that the verdicts below name
  Outcome outcome;
  bool is_traced = false;
  CycleTrace trace;
  size_t start = 0;  // where the next search begins
};

enum class Tracing : uint8_t { kOff, kOn };

// Decide calls SchedulePod. `input`'s start is left as it is and its trace ignored.
Decision Decide(const AlgorithmInput& input, Tracing tracing);

// Differences says, one sentence each, how a decision with reuse differs from one about the same
// pod in the same cluster where each answer was computed; nothing when reuse left no trace.
//
// Outcomes are compared in all that their kind gives a meaning, with the text of a FitError, and so
// is the start of the next search.
// Traces, where both have one, are compared so:
// - points, in order;
// - totals, in order: they are the nodes that fit, as visited;
// - scores as sorted sets of (plugin, node, raw, normalised, weight);
// - filters as sorted sets, node by node, of (plugin, imagined, verdict).
// Rows may come in another order, as plugins may be asked in another one. Nodes are asked in
// batches, so one side may have looked at nodes behind the one that ended its search: a node that
// only one trace has rows of is no difference, unless it was decided: it fits, or all nodes were
// looked at. A cycle that failed is compared in the rows that both have.
std::vector<std::string> Differences(const Decision& reused, const Decision& computed,
                                     const Snapshot& snapshot);

}  // namespace berth::scheduler::testing
