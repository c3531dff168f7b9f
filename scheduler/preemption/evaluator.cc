// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/evaluator.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "scheduler/framework/fit_error.h"
#include "scheduler/preemption/choice.h"
#include "scheduler/preemption/dry_run.h"
#include "scheduler/preemption/importance.h"
#include "scheduler/preemption/overdue.h"
#include "scheduler/preemption/split_gangs.h"

namespace berth::scheduler {
namespace {

// Evaluation is one run of Preempt, step by step.
class Evaluation {
 public:
  Evaluation(PostFilterContext& context, const PreemptionOptions& options, Time now)
      : context_(context), pod_(context.cycle.pod), options_(options), now_(now) {}

  PostFilterResult Run();

 private:
  std::string_view WhyNotEligible() const;
  bool WaitsForVictims(const NodeInfo& node) const;
  std::vector<Slot> NodesWorthATry() const;
  void FindCandidates(const std::vector<Slot>& nodes);
  Verdict Judge(Candidate& candidate);
  Status Review();
  Status WhyNoCandidate();
  void Evict(const Candidate& chosen);

  PostFilterContext& context_;
  const PendingPod& pod_;
  const PreemptionOptions& options_;
  const Time now_;
  Preemption found_;
  bool is_held_by_budget_ = false;
};

PostFilterResult Evaluation::Run() {
  PostFilterResult result;
  // 1. Check whether the pod may preempt now.
  if (const std::string_view why = WhyNotEligible(); !why.empty()) {
    result.status = Status::Unschedulable(std::string(why));
  } else {
    // 2. Find the nodes on which preemption helps, and the victims there.
    FindCandidates(NodesWorthATry());
    if (!found_.candidates.empty()) {
      // 3. Let the extenders review the candidates, then select the cheapest one.
      result.status = Review();
      if (result.status.ok()) {
        const Candidate& chosen = BestCandidate(found_.candidates);
        result.mode = NominatingMode::kOverride;
        result.nominated_node = chosen.node.name();
        // 4. Start evicting its victims in the background.
        Evict(chosen);
        result.status.reasons = {"found a potential placement for pod on node " +
                                 result.nominated_node + ", preempting " +
                                 std::to_string(found_.evicted) + " victims"};
      }
    } else {
      result.status = WhyNoCandidate();
      if (result.status.rejected()) result.mode = NominatingMode::kOverride;
    }
    result.events_may_help = is_held_by_budget_ && !result.status.ok();
  }
  result.preemption = std::move(found_);
  return result;
}

// Returns the reason why the pod may not preempt, or an empty text. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go,
// PodEligibleToPreemptOthers.
std::string_view Evaluation::WhyNotEligible() const {
  if (pod_.pod().spec.preemption_policy == "Never") {
    return "not eligible due to preemptionPolicy=Never.";
  }
  const Slot nominated = context_.cycle.snapshot.Find(pod_.nominated_node_name());
  if (nominated == kNoSlot) return {};
  // More room on that node does not help any longer: the pod may preempt elsewhere.
  if (context_.verdicts.CodeOf(nominated) == Code::kUnschedulableAndUnresolvable) return {};
  if (!WaitsForVictims(context_.cycle.snapshot.At(nominated))) return {};
  return "not eligible due to a terminating pod on the nominated node.";
}

bool Evaluation::WaitsForVictims(const NodeInfo& node) const {
  return std::ranges::any_of(node.pods, [this](const auto& other) {
    const bool goes = other->being_preempted() ||
                      (options_.budgets == BudgetPolicy::kRespect && other->being_evicted());
    return goes && other->priority() < pod_.priority() && !IsOverdue(*other, now_);
  });
}

// Returns the nodes where removing pods may resolve the rejection, in visiting order.
std::vector<Slot> Evaluation::NodesWorthATry() const {
  const NodeVerdicts& verdicts = context_.verdicts;
  std::vector<Slot> nodes;
  if (verdicts.absent.code == Code::kUnschedulable) {
    std::ranges::copy_if(context_.cycle.snapshot.Order(), std::back_inserter(nodes),
                         [&](Slot slot) { return verdicts.CodeOf(slot) == Code::kUnschedulable; });
    return nodes;
  }
  for (const NodeVerdicts::Entry& entry : verdicts.entries) {
    if (entry.verdict.code() == Code::kUnschedulable) nodes.push_back(entry.slot);
  }
  return nodes;
}

// Tries nodes, beginning at a random one, until there are enough candidates and at least one of
// them violates no budget. Candidates without violations come first. Source: kube-scheduler
// pkg/scheduler/framework/preemption/preemption.go, DryRunPreemption.
void Evaluation::FindCandidates(const std::vector<Slot>& nodes) {
  if (nodes.empty()) return;
  const auto offset = static_cast<size_t>(context_.random() * static_cast<double>(nodes.size()));
  const size_t wanted = CandidatesWanted(nodes.size(), options_);
  std::vector<Candidate> violating;
  const DryRun dry_run(context_, now_);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Slot slot = nodes[(offset + i) % nodes.size()];
    auto [outcome, candidate] = dry_run.On(slot);
    if (outcome.verdict.fits()) outcome.verdict = Judge(candidate);
    if (!outcome.verdict.fits()) {
      found_.unhelpful.entries.push_back({slot, outcome.verdict, outcome.plugin});
      continue;
    }
    std::vector<Candidate>& list = candidate.violations == 0 ? found_.candidates : violating;
    if (list.size() < wanted) list.push_back(std::move(candidate));
    if (!found_.candidates.empty() && found_.candidates.size() + violating.size() >= wanted) break;
  }
  std::ranges::move(violating, std::back_inserter(found_.candidates));
}

// Checks a candidate against budgets.
Verdict Evaluation::Judge(Candidate& candidate) {
  if (options_.budgets == BudgetPolicy::kPrefer) return Verdict::Fits();
  static const VerdictReason kProtected =
      VerdictReason::Intern("node(s) had victims that a PodDisruptionBudget protects");
  // The dry run also charged the reprieved pods; only the victims count here.
  if (!IsWithinBudgets(candidate.victims, context_.cycle.snapshot.Budgets())) {
    is_held_by_budget_ = true;
    return Verdict::Unschedulable(kProtected);
  }
  candidate.violations = 0;
  return Verdict::Fits();
}

// Lets the extenders review the candidates, if there are any extenders for it. Afterwards the
// candidates must be as the dry run leaves them: victims sorted by importance, and within the
// budgets if these are respected. A rejection does not change the nomination.
Status Evaluation::Review() {
  if (!context_.review) return Status::Success();
  auto left = context_.review(std::move(found_.candidates));
  found_.candidates.clear();
  if (!left) return Status::Failed(left.error().message());
  for (Candidate& candidate : *left) {
    std::ranges::stable_sort(candidate.victims,
                             [](const auto& a, const auto& b) { return IsMoreImportant(*a, *b); });
    if (candidate.node.In(context_.cycle.snapshot) == nullptr || !Judge(candidate).fits()) continue;
    found_.candidates.push_back(std::move(candidate));
  }
  if (found_.candidates.empty()) return Status::Unschedulable("no candidate node for preemption");
  return Status::Success();
}

// Returns the errors that occurred, or the number of nodes per reason.
Status Evaluation::WhyNoCandidate() {
  std::vector<std::string> errors;
  for (const NodeVerdicts::Entry& entry : found_.unhelpful.entries) {
    if (entry.verdict.code() != Code::kError) continue;
    std::string text = Status::FromVerdict(entry.verdict, entry.plugin).Message();
    if (std::ranges::find(errors, text) == errors.end()) errors.push_back(std::move(text));
  }
  if (errors.size() == 1) return Status::Failed(errors.front());
  if (!errors.empty()) return Status::Failed("[" + Join(errors, ", ") + "]");
  found_.unhelpful.absent =
      Status::UnschedulableAndUnresolvable("Preemption is not helpful for scheduling");
  return Status::Unschedulable(FitErrorText(found_.unhelpful, context_.cycle.snapshot.NodeCount()));
}

// Starts the evictions. Terminating pods count as victims but are not evicted again; if all are
// terminating, there is nothing to do. If a victim is needed by its gang, the other members that
// may be preempted are evicted, too. Source: kube-scheduler
// pkg/scheduler/framework/preemption/executor.go, prepareCandidateAsync.
void Evaluation::Evict(const Candidate& chosen) {
  found_.evicted = chosen.victims.size();
  PodList victims = chosen.victims;
  std::erase_if(victims, [](const auto& victim) { return victim->terminating(); });
  if (victims.empty()) return;
  PodList rest = RestOfSplitGangs(chosen.victims, pod_.priority(), context_.cycle.snapshot);
  found_.evicted += rest.size();
  victims.insert(victims.begin(), rest.begin(), rest.end());
  context_.evictions.Start({.preemptor = pod_.shared_from_this(),
                            .node = chosen.node,
                            .victims = std::move(victims),
                            .respect_budgets = options_.budgets == BudgetPolicy::kRespect,
                            .scheduler_name = pod_.pod().spec.scheduler_name});
}

}  // namespace

size_t CandidatesWanted(size_t nodes, const PreemptionOptions& options) {
  const size_t share = nodes * static_cast<size_t>(options.min_candidate_nodes_percentage) / 100;
  const auto least = static_cast<size_t>(options.min_candidate_nodes_absolute);
  return std::min(std::max(share, least), nodes);
}

PostFilterResult Preempt(PostFilterContext& context, const PreemptionOptions& options, Time now) {
  return Evaluation(context, options, now).Run();
}

}  // namespace berth::scheduler
