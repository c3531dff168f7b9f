// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/cycle_answers.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "tests/conformance/verdict_json.h"

namespace berth::conformance {
namespace {

using nlohmann::json;
using scheduler::Code;
using scheduler::CycleContext;
using scheduler::CycleState;
using scheduler::CycleTrace;
using scheduler::ExtensionPoint;
using scheduler::Outcome;
using scheduler::Profile;
using scheduler::Slot;
using scheduler::Status;

// CycleAnswers follows one pod through PreFilter, Filter and Score on all nodes, without the
// shortcuts a scheduler takes.
class CycleAnswers {
 public:
  CycleAnswers(Cluster& cluster, const scheduler::PodInfo& pod, bool is_sequence, json& answer)
      : cluster_(cluster),
        pod_(pod),
        is_sequence_(is_sequence),
        answer_(answer),
        cycle_{pod, cluster.snapshot(), state_} {}

  void Run() {
    AddFilters();
    if (!feasible_.empty() && !answer_.contains("error")) AddScores();
    AddDecision();
  }

 private:
  const std::string& NameOf(Slot slot) const { return cluster_.snapshot().At(slot).name; }

  void AddFilters();
  json FilterOf(Slot slot, const Profile::PreFilterOutcome& pre, scheduler::NodeFilter& filter);
  void AddScores();
  void AddTrace(const CycleTrace& trace);
  void AddTotals(const std::vector<int64_t>& totals);
  void AddDecision();
  void AddFitError(Outcome outcome);

  Cluster& cluster_;
  const scheduler::PodInfo& pod_;
  const bool is_sequence_;
  json& answer_;
  CycleState state_;
  CycleContext cycle_;
  std::vector<Slot> feasible_;
};

void CycleAnswers::AddFilters() {
  const Profile::PreFilterOutcome pre = cluster_.profile().RunPreFilter(cycle_, nullptr);
  if (pre.status.code == Code::kError) {
    answer_["error"] = pre.status.Message();
    return;
  }
  scheduler::NodeFilter filter(cluster_.profile(), cluster_.nominated(), cycle_, pre.skipped,
                               nullptr);
  json verdicts = json::object();
  for (const Slot slot : cluster_.snapshot().Order()) {
    json verdict = FilterOf(slot, pre, filter);
    const bool fits = verdict == SuccessJson();
    if (fits) feasible_.push_back(slot);
    if (!fits || !is_sequence_) verdicts[NameOf(slot)] = std::move(verdict);
  }
  if (!verdicts.empty()) answer_["filter"] = std::move(verdicts);
  std::set<std::string> names;
  for (const Slot slot : feasible_) names.insert(NameOf(slot));
  answer_["feasible"] = names;
}

json CycleAnswers::FilterOf(Slot slot, const Profile::PreFilterOutcome& pre,
                            scheduler::NodeFilter& filter) {
  if (!pre.status.ok()) return VerdictJson(pre.status, pre.status.plugin);
  if (pre.nodes && !pre.nodes->contains(NameOf(slot))) {
    const std::vector<std::string_view> plugins(pre.narrowed_by.begin(), pre.narrowed_by.end());
    return VerdictJson(Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [" +
                                                            Join(plugins, " ") + "]"));
  }
  const Profile::FilterOutcome outcome = filter.One(slot);
  return VerdictJson(Status::FromVerdict(outcome.verdict, {}), outcome.plugin);
}

void CycleAnswers::AddScores() {
  CycleTrace trace;
  std::vector<int64_t> totals(feasible_.size());
  const Status status = cluster_.profile().RunScore(cycle_, feasible_, totals, &trace);
  if (!status.ok()) return;  // SchedulePod gives the message, see AddDecision
  AddTrace(trace);
  AddTotals(totals);
}

void CycleAnswers::AddTrace(const CycleTrace& trace) {
  const auto& effective = cluster_.profile().effective();
  std::set<std::string> skipped;
  for (const CycleTrace::PointRow& row : trace.points) {
    const bool skips = row.point == ExtensionPoint::kPreScore && row.status.code == Code::kSkip;
    if (skips && effective.WeightOf(row.plugin) != 0) skipped.insert(std::string(row.plugin));
  }
  if (!skipped.empty()) answer_["scoreSkip"] = skipped;
  for (const CycleTrace::ScoreRow& row : trace.scores) {
    answer_["score"][std::string(row.plugin)][NameOf(row.slot)] = row.raw;
    answer_["normalized"][std::string(row.plugin)][NameOf(row.slot)] = row.normalized;
  }
  for (const auto& weight : effective.weights) answer_["weights"][weight.plugin] = weight.weight;
}

void CycleAnswers::AddTotals(const std::vector<int64_t>& totals) {
  const int64_t highest = *std::max_element(totals.begin(), totals.end());
  std::set<std::string> best;
  for (size_t i = 0; i < totals.size(); ++i) {
    answer_["total"][NameOf(feasible_[i])] = totals[i];
    if (totals[i] == highest) best.insert(NameOf(feasible_[i]));
  }
  answer_["best"] = best;
  const std::string& nominated = pod_.pod().status.nominated_node_name;
  const bool fits = std::any_of(feasible_.begin(), feasible_.end(),
                                [&](Slot slot) { return NameOf(slot) == nominated; });
  answer_["pick"] = fits ? std::set<std::string>{nominated} : best;
}

// AddDecision asks SchedulePod, whose choice must be one of those that the totals allow.
void CycleAnswers::AddDecision() {
  CycleState state;
  const Outcome outcome = scheduler::SchedulePod({.profile = cluster_.profile(),
                                                  .snapshot = cluster_.snapshot(),
                                                  .pod = pod_,
                                                  .nominated = cluster_.nominated(),
                                                  .start = cluster_.start()},
                                                 state);
  switch (outcome.kind) {
    case Outcome::Kind::kPlaced: {
      const json allowed = answer_.value("pick", json::array());
      if (std::find(allowed.begin(), allowed.end(), outcome.node) == allowed.end()) {
        answer_["pick"] = {"SchedulePod chose " + outcome.node};
      }
      return;
    }
    case Outcome::Kind::kUnschedulable:
      return AddFitError(outcome);
    case Outcome::Kind::kError:
      answer_["error"] = outcome.error.Message();
      return;
  }
}

void CycleAnswers::AddFitError(Outcome outcome) {
  answer_["finalError"] = scheduler::FitErrorText(outcome);
  const std::string message = std::exchange(outcome.post_filter_message, "");
  answer_["fitError"] = scheduler::FitErrorText(outcome);
  if (!cluster_.profile().HasPostFilter()) return;
  json& preemption = answer_["preemption"];
  preemption["code"] = scheduler::ToString(outcome.post_filter.status.code);
  if (!message.empty()) preemption["message"] = message;
  if (!outcome.post_filter.nominated_node.empty()) {
    preemption["nominatedNode"] = outcome.post_filter.nominated_node;
  }
}

}  // namespace

void AddCycleAnswers(Cluster& cluster, const scheduler::PodInfo& pod, bool is_sequence,
                     json& answer) {
  CycleAnswers(cluster, pod, is_sequence, answer).Run();
}

}  // namespace berth::conformance
