// SPDX-License-Identifier: Apache-2.0
#include "scheduler/score_log.h"

#include <string>

#include "base/log.h"
#include "scheduler/framework/extender_calls.h"

namespace berth::scheduler {

void LogScores(const AlgorithmInput& input, const Outcome& outcome, const CycleTrace& trace) {
  if (outcome.kind != Outcome::Kind::kPlaced) return;
  const auto log = log::V(kScoreVerbosity);
  const std::string pod = input.pod.Key();
  if (outcome.feasible == 1) {
    log.Info("Found a single node for pod, none is scored",
             {{"pod", pod}, {"node", outcome.node.name()}});
    return;
  }
  const auto name = [&](Slot slot) -> const std::string& {
    return input.snapshot.At(slot).name.text();
  };
  for (const CycleTrace::ScoreRow& row : trace.scores) {
    const bool is_plugin = input.profile.IndexOf(row.plugin).has_value();
    log.Info(is_plugin ? "Plugin scored node for pod" : "Extender scored node for pod",
             {{"pod", pod},
              {is_plugin ? "plugin" : "extender", row.plugin},
              {"node", name(row.slot)},
              {"rawScore", row.raw},
              {"normalizedScore", row.normalized},
              {"weight", row.weight},
              {"score", WeightedScore(row.normalized, row.weight)}});
  }
  for (const CycleTrace::TotalRow& row : trace.totals) {
    log.Info("Calculated node's final score for pod",
             {{"pod", pod}, {"node", name(row.slot)}, {"score", row.total}});
  }
}

}  // namespace berth::scheduler
