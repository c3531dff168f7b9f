// SPDX-License-Identifier: Apache-2.0
#include "extender/decisions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/feasible_nodes.h"

namespace berth::extender {
namespace {

using scheduler::Code;
using scheduler::CycleContext;
using scheduler::CycleState;
using scheduler::ExtenderScore;
using scheduler::ExtenderVerdicts;
using scheduler::NodeDelta;
using scheduler::NodeInfo;
using scheduler::PendingPod;
using scheduler::Profile;
using scheduler::Slot;
using scheduler::Snapshot;
using scheduler::Status;

Failure FailedBy(const Status& status) { return Fail(Reason::kInternalError, status.Message()); }

bool IsResolvable(Code code) { return code != Code::kUnschedulableAndUnresolvable; }

// Question is the state of one request for a pod, after PreFilter.
struct Question {
  Question(const Profile& used, const Snapshot& snapshot, const PendingPod& pod)
      : profile(used), cycle{pod, snapshot, state}, before(profile.RunPreFilter(cycle, nullptr)) {}

  // Reports whether a plugin failed.
  bool HasFailed() const { return !before.status.ok() && !before.status.rejected(); }
  // Returns the status of nodes excluded by PreFilter.
  Status Absent() const {
    if (!before.status.ok()) return before.status;
    return scheduler::ExcludedByPreFilter(profile, before.restricted_by);
  }
  bool IsLeft(Slot slot) const {
    if (!before.status.ok()) return false;
    return !before.nodes || before.nodes->contains(cycle.snapshot.At(slot).name.text());
  }

  const Profile& profile;
  CycleState state;
  CycleContext cycle;
  Profile::PreFilterOutcome before;
};

}  // namespace

Result<ExtenderVerdicts> FilterNodes(const Profile& profile, const Snapshot& snapshot,
                                     const PendingPod& pod, std::span<const Slot> nodes) {
  const Question question(profile, snapshot, pod);
  if (question.HasFailed()) return FailedBy(question.before.status);
  ExtenderVerdicts verdicts;
  std::vector<Slot> asked;
  asked.reserve(nodes.size());
  const Status absent = question.Absent();
  for (const Slot slot : nodes) {
    if (question.IsLeft(slot)) {
      asked.push_back(slot);
    } else {
      verdicts.rejections.push_back({slot, absent.Message(), IsResolvable(absent.code)});
    }
  }
  std::vector<Profile::FilterOutcome> outcomes(asked.size());
  profile.RunFilterBatch(question.cycle, question.before.skipped, asked, outcomes, nullptr);
  for (size_t i = 0; i < asked.size(); ++i) {
    const scheduler::Verdict verdict = outcomes[i].verdict;
    if (verdict.fits()) {
      verdicts.fitting.push_back(asked[i]);
      continue;
    }
    const Status status = Status::FromVerdict(verdict, outcomes[i].plugin);
    if (!status.rejected()) return FailedBy(status);
    verdicts.rejections.push_back({asked[i], status.Message(), IsResolvable(status.code)});
  }
  return verdicts;
}

Result<std::vector<ExtenderScore>> ScoreNodes(const Profile& profile, const Snapshot& snapshot,
                                              const PendingPod& pod, std::span<const Slot> nodes) {
  std::vector<int64_t> totals(nodes.size());
  if (profile.HasScore() && !nodes.empty()) {
    Question question(profile, snapshot, pod);
    if (!question.before.status.ok()) return FailedBy(question.before.status);
    const scheduler::FeasibleNodes feasible({nodes.begin(), nodes.end()});
    scheduler::PluginIndexSet skipped;
    const Status prepared = profile.RunPreScore(question.cycle, feasible, skipped, nullptr);
    if (!prepared.ok()) return FailedBy(prepared);
    const Status scored = profile.RunScore(question.cycle, skipped, nodes, totals, nullptr);
    if (!scored.ok()) return FailedBy(scored);
  }
  std::vector<ExtenderScore> scores;
  scores.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) scores.push_back({nodes[i], totals[i]});
  return scores;
}

Result<std::vector<bool>> FitsWithout(const Profile& profile, const Snapshot& snapshot,
                                      const PendingPod& pod,
                                      std::span<const VictimsOnNode> candidates) {
  const Question question(profile, snapshot, pod);
  if (question.HasFailed()) return FailedBy(question.before.status);
  std::vector<bool> fits;
  for (const VictimsOnNode& candidate : candidates) {
    if (!question.IsLeft(candidate.slot)) {
      fits.push_back(false);
      continue;
    }
    const std::unordered_set<std::string_view> gone(candidate.uids.begin(), candidate.uids.end());
    const NodeInfo& node = snapshot.At(candidate.slot);
    NodeDelta change(node);
    for (const auto& placed : node.pods) {
      if (gone.contains(placed->uid())) change.Remove(*placed);
    }
    const auto outcome = profile.RunFilter(question.cycle, question.before.skipped,
                                           snapshot.View(candidate.slot, &change), nullptr);
    if (outcome.verdict.fits()) {
      fits.push_back(true);
      continue;
    }
    const Status status = Status::FromVerdict(outcome.verdict, outcome.plugin);
    if (!status.rejected()) return FailedBy(status);
    fits.push_back(false);
  }
  return fits;
}

}  // namespace berth::extender
