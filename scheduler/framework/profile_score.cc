// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/guard.h"
#include "scheduler/framework/normalize.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

using internal::FailedIn;
using internal::GuardedStatus;

namespace {

Status FailedScore(std::string_view what, std::string_view plugin, std::string_view text) {
  Status status = Status::Failed(std::string(what) + " on Score plugins: plugin \"" +
                                 std::string(plugin) + "\" failed with: " + std::string(text));
  status.plugin = plugin;
  return status;
}

Status Normalize(const ScorePlugin& plugin, CycleContext& cycle, std::span<const Slot> feasible,
                 std::span<int64_t> scores) {
  if (plugin.normalizer() == Normalizer::kCustom) {
    return plugin.NormalizeScore(cycle, feasible, scores);
  }
  const Scale scale = Scale::Of(plugin.normalizer(), scores);
  if (!scale.Matters()) return Status::Success();
  for (int64_t& score : scores) score = scale.Normalize(score);
  return Status::Success();
}

Status CheckRange(std::string_view plugin, std::span<const int64_t> scores) {
  for (const int64_t score : scores) {
    if (score >= kMinNodeScore && score <= kMaxNodeScore) continue;
    Status status = Status::Failed("applying score defaultWeights on Score plugins: plugin \"" +
                                   std::string(plugin) + "\" returns an invalid score " +
                                   std::to_string(score) +
                                   ", it should in the range of [0, 100] after normalizing");
    status.plugin = plugin;
    return status;
  }
  return Status::Success();
}

}  // namespace

Status Profile::ScoreOne(const Entry<ScorePlugin>& entry, CycleContext& cycle,
                         std::span<const Slot> feasible, std::span<int64_t> scores,
                         CycleTrace* trace, CachedResults* cached) const {
  Status status = GuardedStatus(entry, [&] {
    if (cached == nullptr) {
      entry.plugin->ScoreBatch(cycle, feasible, scores);
    } else {
      cached->Score(entry, cycle, feasible, scores);
    }
    return Status::Success();
  });
  if (!status.ok()) {
    Status failed = Status::Failed("running Score plugins: plugin \"" + status.plugin +
                                   "\" failed with: " + status.Message());
    failed.plugin = entry.name;
    return failed;
  }
  const size_t first_row = trace ? trace->scores.size() : 0;
  if (trace) {
    for (size_t i = 0; i < feasible.size(); ++i) {
      trace->scores.push_back({entry.name, feasible[i], scores[i], scores[i], entry.weight});
    }
  }
  status = GuardedStatus(entry, [&] { return Normalize(*entry.plugin, cycle, feasible, scores); });
  if (!status.ok()) return FailedScore("running Normalize", entry.name, status.Message());
  if (trace) {
    for (size_t i = 0; i < feasible.size(); ++i)
      trace->scores[first_row + i].normalized = scores[i];
  }
  return CheckRange(entry.name, scores);
}

Status Profile::RunPreScore(CycleContext& cycle, const FeasibleNodes& feasible,
                            PluginIndexSet& skipped, CycleTrace* trace) const {
  for (const Entry<PreScorePlugin>& entry : pre_scores_) {
    const Status status =
        GuardedStatus(entry, [&] { return entry.plugin->PreScore(cycle, feasible); });
    if (trace) trace->points.push_back({ExtensionPoint::kPreScore, entry.name, status});
    if (status.code == Code::kSkip) {
      skipped.Add(entry.index);
    } else if (!status.ok()) {
      return FailedIn("PreScore plugin", status);
    }
  }
  return Status::Success();
}

Status Profile::RunScore(CycleContext& cycle, PluginIndexSet skipped,
                         std::span<const Slot> feasible, std::span<int64_t> totals,
                         CycleTrace* trace, CachedResults* cached) const {
  // Source: kube-scheduler pkg/scheduler/schedule_one.go, prioritizeNodes: each node scores 1 if
  // there are neither score plugins nor extenders.
  std::fill(totals.begin(), totals.end(), scores_.empty() && extenders_ == nullptr ? 1 : 0);
  std::vector<int64_t> scores(feasible.size());
  for (const Entry<ScorePlugin>& entry : scores_) {
    if (skipped.Has(entry.index)) continue;
    if (Status status = ScoreOne(entry, cycle, feasible, scores, trace, cached); !status.ok()) {
      return status;
    }
    for (size_t i = 0; i < totals.size(); ++i) totals[i] += scores[i] * entry.weight;
  }
  if (trace) {
    for (size_t i = 0; i < totals.size(); ++i) trace->totals.push_back({feasible[i], totals[i]});
  }
  return Status::Success();
}

}  // namespace berth::scheduler
