// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/cycle_answers.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "scheduler/plugins/pod_volumes.h"
#include "tests/conformance/verdict_json.h"

namespace berth::conformance {
namespace {

using Json = nlohmann::json;
using scheduler::Code;
using scheduler::CycleContext;
using scheduler::CycleState;
using scheduler::CycleTrace;
using scheduler::ExtensionPoint;
using scheduler::Outcome;
using scheduler::Profile;
using scheduler::Slot;
using scheduler::Status;

// Attempt is one decision with all that led to it.
struct Attempt {
  Outcome outcome;
  CycleTrace trace;
};

// CycleAnswers reads the answers off SchedulePod's trace and outcome, so that they are those of the
// path that pods take.
class CycleAnswers {
 public:
  CycleAnswers(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence, Json& answer)
      : cluster_(cluster), pod_(pod), is_sequence_(is_sequence), answer_(answer) {}

  void Run();

 private:
  const std::string& NameOf(Slot slot) const { return cluster_.snapshot().At(slot).name.text(); }

  Outcome Decide(const scheduler::PendingPod& pod, size_t& start, CycleTrace* trace);
  Attempt LookAtAllNodes();
  void AddFilters(const Attempt& attempt);
  Json FilterOf(Slot slot, const Profile::PreFilterOutcome& pre, const Attempt& attempt) const;
  void AddVolumes(const CycleContext& cycle);
  void AddScores(const Attempt& attempt);
  CycleTrace ScoreTheOnlyNode();
  void AddTrace(const CycleTrace& trace);
  void AddTotals(const std::vector<CycleTrace::TotalRow>& totals);
  void AddDecision(const Outcome& outcome);
  void AddFitError(Outcome outcome);
  void AddPreemption(const scheduler::PostFilterResult& result, const std::string& message);

  Cluster& cluster_;
  const scheduler::PendingPod& pod_;
  const bool is_sequence_;
  Json& answer_;
  std::vector<Slot> feasible_;
};

void CycleAnswers::Run() {
  const Attempt survey = LookAtAllNodes();
  AddFilters(survey);
  AddScores(survey);
  AddDecision(Decide(pod_, cluster_.start(), nullptr));
}

Outcome CycleAnswers::Decide(const scheduler::PendingPod& pod, size_t& start, CycleTrace* trace) {
  CycleState state;
  return scheduler::SchedulePod({.profile = cluster_.profile(),
                                 .snapshot = cluster_.snapshot(),
                                 .pod = pod,
                                 .nominated = cluster_.nominated(),
                                 .start = start,
                                 .trace = trace,
                                 .reuse = cluster_.reuse()},
                                state);
}

// LookAtAllNodes decides about the pod as if it had no nomination, which would end the search at
// that node. Its uid stays, by which its own nomination is known.
Attempt CycleAnswers::LookAtAllNodes() {
  auto twin = std::make_shared<api::Pod>(pod_.pod());
  twin->status.nominated_node_name.clear();
  const auto info = cluster_.InfoOf(std::move(twin));
  size_t start = cluster_.start();
  Attempt attempt;
  attempt.outcome = Decide(*info, start, &attempt.trace);
  return attempt;
}

void CycleAnswers::AddFilters(const Attempt& attempt) {
  CycleState state;
  CycleContext cycle{pod_, cluster_.snapshot(), state};
  const Profile::PreFilterOutcome pre = cluster_.profile().RunPreFilter(cycle, nullptr);
  if (pre.status.code == Code::kError) return;
  Json verdicts = Json::object();
  for (const Slot slot : cluster_.snapshot().Order()) {
    Json verdict = FilterOf(slot, pre, attempt);
    const bool fits = verdict == SuccessJson();
    if (fits) feasible_.push_back(slot);
    if (!fits || !is_sequence_) verdicts[NameOf(slot)] = std::move(verdict);
  }
  if (!verdicts.empty()) answer_["filter"] = std::move(verdicts);
  std::set<std::string> names;
  for (const Slot slot : feasible_) names.insert(NameOf(slot));
  answer_["feasible"] = names;
  if (!is_sequence_) AddVolumes(cycle);
}

// AddVolumes says what VolumeBinding would do on each node that passes, where there is something to
// do.
void CycleAnswers::AddVolumes(const CycleContext& cycle) {
  const auto* volumes = cycle.state.Read<scheduler::PodVolumes>();
  if (volumes == nullptr) return;
  for (const Slot slot : feasible_) {
    scheduler::NodeVolumes found;
    volumes->LookOn(cycle.snapshot.At(slot), cycle.snapshot, found);
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

// FilterOf is the verdict of the whole profile on a node. Where none fits, the outcome has it for
// all of them; else it is the first refusal in the trace, with the nominated pods before without,
// or what PreFilter left out.
Json CycleAnswers::FilterOf(Slot slot, const Profile::PreFilterOutcome& pre,
                            const Attempt& attempt) const {
  if (attempt.outcome.kind == Outcome::Kind::kUnschedulable) {
    const scheduler::NodeVerdicts& verdicts = attempt.outcome.verdicts;
    const auto* entry = verdicts.Find(slot);
    return entry == nullptr ? VerdictJson(verdicts.absent, verdicts.absent.plugin)
                            : VerdictOf(entry->verdict, entry->plugin);
  }
  if (pre.nodes && !pre.nodes->contains(NameOf(slot))) {
    const auto plugins = cluster_.profile().NamesOf(pre.narrowed_by);
    return VerdictJson(Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [" +
                                                            Join(plugins, " ") + "]"));
  }
  for (const bool imagined : {true, false}) {
    for (const CycleTrace::FilterRow& row : attempt.trace.filters) {
      if (row.slot != slot || row.imagined != imagined || row.verdict.fits()) continue;
      return VerdictOf(row.verdict, row.plugin);
    }
  }
  return SuccessJson();
}

void CycleAnswers::AddScores(const Attempt& attempt) {
  if (attempt.outcome.kind != Outcome::Kind::kPlaced) return;
  const CycleTrace trace = attempt.outcome.feasible == 1 ? ScoreTheOnlyNode() : attempt.trace;
  if (trace.totals.empty()) return;
  AddTrace(trace);
  AddTotals(trace.totals);
}

// ScoreTheOnlyNode asks the score plugins, which SchedulePod leaves out where there is no choice.
CycleTrace CycleAnswers::ScoreTheOnlyNode() {
  CycleTrace trace;
  CycleState state;
  CycleContext cycle{pod_, cluster_.snapshot(), state};
  cluster_.profile().RunPreFilter(cycle, nullptr);
  scheduler::PluginIndexSet skipped;
  const scheduler::FeasibleNodes feasible(feasible_);
  if (!cluster_.profile().RunPreScore(cycle, feasible, skipped, &trace).ok()) return trace;
  std::vector<int64_t> totals(feasible_.size());
  const Status status = cluster_.profile().RunScore(cycle, skipped, feasible_, totals, &trace);
  if (!status.ok()) trace.totals.clear();
  return trace;
}

void CycleAnswers::AddTrace(const CycleTrace& trace) {
  const auto& effective = cluster_.profile().effective();
  const auto skips = [&trace](const std::string& plugin) {
    return std::ranges::any_of(trace.points, [&plugin](const CycleTrace::PointRow& row) {
      return row.point == ExtensionPoint::kPreScore && row.plugin == plugin &&
             row.status.code == Code::kSkip;
    });
  };
  std::vector<std::string_view> skipped;  // in the order in which they would score
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

void CycleAnswers::AddTotals(const std::vector<CycleTrace::TotalRow>& totals) {
  int64_t highest = totals.front().total;
  for (const CycleTrace::TotalRow& row : totals) highest = std::max(highest, row.total);
  std::set<std::string> best;
  for (const CycleTrace::TotalRow& row : totals) {
    answer_["total"][NameOf(row.slot)] = row.total;
    if (row.total == highest) best.insert(NameOf(row.slot));
  }
  answer_["best"] = best;
  const std::string& nominated = pod_.pod().status.nominated_node_name;
  const bool fits = std::any_of(feasible_.begin(), feasible_.end(),
                                [&](Slot slot) { return NameOf(slot) == nominated; });
  answer_["pick"] = fits ? std::set<std::string>{nominated} : best;
}

// AddDecision looks at the node that was chosen, which must be one of those that the totals allow.
void CycleAnswers::AddDecision(const Outcome& outcome) {
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

void CycleAnswers::AddFitError(Outcome outcome) {
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

void CycleAnswers::AddPreemption(const scheduler::PostFilterResult& result,
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
  for (const auto& entry : result.preemption->hopeless.entries) {
    answer["nonCandidates"][NameOf(entry.slot)] = VerdictOf(entry.verdict, entry.plugin);
  }
}

}  // namespace

void AddCycleAnswers(Cluster& cluster, const scheduler::PendingPod& pod, bool is_sequence,
                     Json& answer) {
  CycleAnswers(cluster, pod, is_sequence, answer).Run();
}

}  // namespace berth::conformance
