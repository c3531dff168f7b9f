// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/cycle_answers.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "scheduler/plugins/volumes/pod_volumes.h"
#include "tests/conformance/node_survey.h"
#include "tests/conformance/verdict_json.h"

namespace berth::conformance {
namespace {

using Json = nlohmann::json;
using scheduler::Code;
using scheduler::CycleState;
using scheduler::CycleTrace;
using scheduler::ExtensionPoint;
using scheduler::Outcome;
using scheduler::Slot;
using scheduler::Status;

// Attempt is one decision with its trace; its state owns the texts of the verdicts.
struct Attempt {
  CycleState state;
  Outcome outcome;
  CycleTrace trace;
};

// CycleResults reads the results from SchedulePod's outcome and trace, the path of real pods. A
// NodeSurvey adds the nodes that SchedulePod does not visit.
class CycleResults {
 public:
  CycleResults(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence, Json& answer)
      : cluster_(cluster), pod_(pod), is_sequence_(is_sequence), answer_(answer) {}

  void Run();

 private:
  const std::string& NameOf(Slot slot) const { return cluster_.snapshot().At(slot).name.text(); }

  Outcome Decide(const scheduler::PendingPod& pod, size_t& start, CycleState& state,
                 CycleTrace* trace);
  Attempt DecideWithoutNomination();
  void AddFilters(const Attempt& attempt, const NodeSurvey& survey);
  void CompareSearch(const Outcome& outcome, const NodeSurvey& survey);
  void AddVolumes(const NodeSurvey& survey);
  void AddScores(const Attempt& attempt, NodeSurvey& survey);
  void AddTrace(const CycleTrace& trace);
  void AddTotals(const std::vector<CycleTrace::TotalRow>& totals);
  void AddDecision(const Outcome& outcome);
  void AddFitError(Outcome outcome);
  void AddPreemption(const scheduler::PostFilterResult& result, const std::string& message);

  Cluster& cluster_;
  const scheduler::PendingPod& pod_;
  const bool is_sequence_;
  Json& answer_;
};

void CycleResults::Run() {
  const Attempt attempt = DecideWithoutNomination();
  {
    NodeSurvey survey(cluster_, pod_);
    AddFilters(attempt, survey);
    AddScores(attempt, survey);
  }
  CycleState state;
  AddDecision(Decide(pod_, cluster_.start(), state, nullptr));
}

Outcome CycleResults::Decide(const scheduler::PendingPod& pod, size_t& start, CycleState& state,
                             CycleTrace* trace) {
  return scheduler::SchedulePod({.profile = cluster_.profile(),
                                 .snapshot = cluster_.snapshot(),
                                 .pod = pod,
                                 .nominated = cluster_.nominated(),
                                 .start = start,
                                 .trace = trace,
                                 .result_cache = cluster_.result_cache()},
                                state);
}

// Schedules the pod without its nomination, which would end the search at that node. The copy keeps
// the uid, which identifies its own nomination.
Attempt CycleResults::DecideWithoutNomination() {
  auto twin = std::make_shared<api::Pod>(pod_.pod());
  twin->status.nominated_node_name.clear();
  const auto info = cluster_.InfoOf(std::move(twin));
  size_t start = cluster_.start();
  Attempt attempt;
  attempt.outcome = Decide(*info, start, attempt.state, &attempt.trace);
  return attempt;
}

// Reads the verdict on a rejected node from the outcome if no node fits, else from the survey.
void CycleResults::AddFilters(const Attempt& attempt, const NodeSurvey& survey) {
  if (survey.failed()) return;
  Json verdicts = Json::object();
  std::set<std::string> feasible;
  for (const Slot slot : cluster_.snapshot().Order()) {
    const auto* entry = attempt.outcome.verdicts.Find(slot);
    const Status status = entry == nullptr ? survey.StatusOf(slot)
                                           : Status::FromVerdict(entry->verdict, entry->plugin);
    if (status.ok()) feasible.insert(NameOf(slot));
    if (!status.ok() || !is_sequence_) verdicts[NameOf(slot)] = VerdictJson(status, status.plugin);
  }
  if (!verdicts.empty()) answer_["filter"] = std::move(verdicts);
  answer_["feasible"] = feasible;
  CompareSearch(attempt.outcome, survey);
  if (!is_sequence_) AddVolumes(survey);
}

// Adds a field that no fixture has if SchedulePod did not find all feasible nodes. A search that
// stops early may find fewer.
void CycleResults::CompareSearch(const Outcome& outcome, const NodeSurvey& survey) {
  if (outcome.kind == Outcome::Kind::kError) return;
  const size_t fitting = survey.feasible().size();
  const bool is_whole = outcome.evaluated == survey.candidates();
  if (is_whole ? outcome.feasible == fitting : outcome.feasible <= fitting) return;
  answer_["search"] = "SchedulePod evaluated " + std::to_string(outcome.evaluated) + " of " +
                      std::to_string(survey.candidates()) + " nodes and found " +
                      std::to_string(outcome.feasible) + " feasible; " + std::to_string(fitting) +
                      " are";
}

// Adds the actions of VolumeBinding on each feasible node, if any.
void CycleResults::AddVolumes(const NodeSurvey& survey) {
  const scheduler::CycleContext& cycle = survey.cycle();
  const auto* volumes = cycle.state.Read<scheduler::PodVolumes>();
  if (volumes == nullptr) return;
  for (const Slot slot : survey.feasible()) {
    scheduler::NodeVolumes found;
    volumes->CheckNode(cycle.snapshot.At(slot), cycle.snapshot, found);
    const scheduler::VolumeDecision decision = found.Decision();
    Json node;
    for (const auto& [volume, claim] : decision.bindings) {
      node["static"].push_back({{"storageClass", api::StorageClassOf(*claim)},
                                {"requested", claim->spec.resources.requests.at("storage").Value()},
                                {"capacity", volume->spec.capacity.at("storage").Value()}});
    }
    std::set<std::string> made;
    for (const auto& provision : decision.provisions) made.insert(provision.claim->metadata.name);
    if (!made.empty()) node["dynamic"] = made;
    if (!node.is_null()) answer_["volumes"][NameOf(slot)] = std::move(node);
  }
}

Json VerdictOf(const scheduler::Verdict& verdict, std::string_view plugin) {
  return VerdictJson(Status::FromVerdict(verdict, {}), plugin);
}

// Takes the scores from the survey if SchedulePod scored fewer nodes than fit: none if only one
// node fits, or only the first ones if it stopped early.
void CycleResults::AddScores(const Attempt& attempt, NodeSurvey& survey) {
  if (attempt.outcome.kind != Outcome::Kind::kPlaced) return;
  const bool is_whole = attempt.trace.totals.size() == survey.feasible().size();
  const CycleTrace trace = is_whole ? attempt.trace : survey.Score();
  if (trace.totals.empty()) return;
  AddTrace(trace);
  AddTotals(trace.totals);
}

void CycleResults::AddTrace(const CycleTrace& trace) {
  const auto& effective = cluster_.profile().effective();
  const auto skips = [&trace](const std::string& plugin) {
    return std::ranges::any_of(trace.points, [&plugin](const CycleTrace::PointRow& row) {
      return row.point == ExtensionPoint::kPreScore && row.plugin == plugin &&
             row.status.code == Code::kSkip;
    });
  };
  std::vector<std::string_view> skipped;  // in scoring order
  for (const auto& weight : effective.weights) {
    if (skips(weight.plugin)) skipped.push_back(weight.plugin);
  }
  if (!skipped.empty()) answer_["scoreSkip"] = skipped;
  for (const CycleTrace::ScoreRow& row : trace.scores) {
    answer_["score"][std::string(row.plugin)][NameOf(row.slot)] = row.raw;
    answer_["normalized"][std::string(row.plugin)][NameOf(row.slot)] = row.normalized;
  }
  for (const auto& weight : effective.weights) answer_["weights"][weight.plugin] = weight.weight;
}

void CycleResults::AddTotals(const std::vector<CycleTrace::TotalRow>& totals) {
  int64_t highest = totals.front().total;
  for (const CycleTrace::TotalRow& row : totals) highest = std::max(highest, row.total);
  std::set<std::string> best;
  for (const CycleTrace::TotalRow& row : totals) {
    answer_["total"][NameOf(row.slot)] = row.total;
    if (row.total == highest) best.insert(NameOf(row.slot));
  }
  answer_["best"] = best;
  const std::string& nominated = pod_.pod().status.nominated_node_name;
  const bool fits = answer_["total"].contains(nominated);
  answer_["pick"] = fits ? std::set<std::string>{nominated} : best;
}

// Adds the chosen node, which must be one of the nodes with the highest total.
void CycleResults::AddDecision(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kPlaced: {
      const Json allowed = answer_.value("pick", Json::array());
      if (std::find(allowed.begin(), allowed.end(), outcome.node.name()) == allowed.end()) {
        answer_["pick"] = {"SchedulePod chose " + outcome.node.name()};
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

void CycleResults::AddFitError(Outcome outcome) {
  answer_["finalError"] = scheduler::FitErrorText(outcome);
  const std::string message = std::exchange(outcome.post_filter_message, "");
  answer_["fitError"] = scheduler::FitErrorText(outcome);
  if (cluster_.profile().HasPostFilter()) AddPreemption(outcome.post_filter, message);
}

Json NamesOf(const std::vector<std::shared_ptr<const scheduler::PodInfo>>& pods) {
  Json names = Json::array();
  for (const auto& pod : pods) names.push_back(pod->Key());
  return names;
}

void CycleResults::AddPreemption(const scheduler::PostFilterResult& result,
                                 const std::string& message) {
  Json& answer = answer_["preemption"];
  answer["code"] = scheduler::ToString(result.status.code);
  if (!message.empty()) answer["message"] = message;
  if (!result.nominated_node.empty()) answer["nominatedNode"] = result.nominated_node;
  if (!result.preemption) return;
  for (const scheduler::Candidate& candidate : result.preemption->candidates) {
    const Json victims = NamesOf(candidate.victims);
    answer["candidates"][candidate.node.name()] = {{"pods", victims},
                                                   {"numPDBViolations", candidate.violations}};
    if (candidate.node.name() == result.nominated_node) answer["victims"] = victims;
  }
  for (const auto& entry : result.preemption->unhelpful.entries) {
    answer["nonCandidates"][NameOf(entry.slot)] = VerdictOf(entry.verdict, entry.plugin);
  }
}

}  // namespace

void AddCycleResults(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence,
                     Json& answer) {
  CycleResults(cluster, pod, is_sequence, answer).Run();
}

}  // namespace berth::conformance
