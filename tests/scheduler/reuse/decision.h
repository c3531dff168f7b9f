// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler::testing {

// Decision is the result of SchedulePod with its trace and state.
struct Decision {
  std::shared_ptr<CycleState> state;  // owns the reasons that the verdicts below refer to
  Outcome outcome;
  bool is_traced = false;
  CycleTrace trace;
  size_t start = 0;  // start of the next search
};

enum class Tracing : uint8_t { kOff, kOn };

// Calls SchedulePod. Does not change the start of `input`; ignores its trace.
Decision Decide(const AlgorithmInput& input, Tracing tracing);

// Lists the differences, one sentence each, between a decision with cached results (`reused`) and a
// decision on the same pod and cluster with all results computed.
//
// Compares all fields of the outcome that its kind defines, including the text of a FitError, and
// the start of the next search. An outcome that was copied from an equivalent pod has no verdicts
// of single nodes.
//
// If both decisions are traced, compares the traces:
// - points, in order;
// - totals, in order: they are the feasible nodes, as visited;
// - scores as sorted sets of (plugin, node, raw, normalised, weight);
// - filters as sorted sets, for each node, of (plugin, simulated, verdict).
//
// Rows may have another order, because plugins may run in another order. Nodes are filtered in
// batches, so one side may have filtered nodes beyond the end of its search. A node with rows in
// only one trace is therefore no difference, unless it is decided: it is feasible, or all nodes
// were evaluated. For a failed cycle only the rows in both traces are compared.
std::vector<std::string> Differences(const Decision& reused, const Decision& computed,
                                     const Snapshot& snapshot);

}  // namespace berth::scheduler::testing
