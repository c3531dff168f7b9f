// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/algorithm.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/extender_calls.h"
#include "scheduler/framework/known_rejections.h"
#include "scheduler/framework/no_evictions.h"
#include "scheduler/framework/ranking.h"
#include "scheduler/framework/select_host.h"

namespace berth::scheduler {
namespace {

// Search is one run of SchedulePod, step by step.
class Search {
 public:
  Search(const AlgorithmInput& input, CycleState& state)
      : input_(input), cycle_{input.pod, input.snapshot, state} {
    outcome_.node_count = input.snapshot.NodeCount();
  }

  Outcome Run();

 private:
  void PreFilter();
  void RejectGang(const Status& status);
  void FindInterested();
  void FindFeasible();
  bool TakeKnownRejection(const NodeFilter& filter);
  void ShareRejection();
  bool TryNominatedNode(const NodeFilter& filter);
  bool DoExtendersTake(Slot nominated);
  bool TakeRanked(const NodeFilter& filter);
  static bool Withdraw(const NodeFilter& filter, const Ranking& ranking,
                       std::vector<Slot>& withdrawn);
  bool KeepFitting(PluginIndexSet filters, std::vector<Slot>& nodes) const;
  void TakeWanted(std::vector<Slot> nodes);
  std::vector<Slot> Candidates();
  std::vector<Slot> FromStart(std::vector<Slot> slots) const;
  std::vector<Slot> Visit(const NodeFilter& filter, std::span<const Slot> slots);
  void AskExtenders(bool is_ranked);
  size_t Wanted(size_t candidates) const;
  static size_t BatchSize(size_t wanted, size_t found);
  void Pick();
  bool PickRanked(PluginIndexSet skipped);
  void Choose(std::span<int64_t> totals);
  void Place(Slot slot);
  void PostFilter();

  void Fail(Status error);
  void Reject(const Status& status, std::string_view plugin);
  void Reject(Slot slot, const Profile::FilterOutcome& answer);
  void AddRejector(Code code, std::string_view plugin);

  const std::function<double()>& random() const {
    static const std::function<double()> kNoChance = [] { return 0.0; };
    return input_.random != nullptr ? *input_.random : kNoChance;
  }

  const AlgorithmInput& input_;
  CycleContext cycle_;
  ExtenderList extenders_;  // the extenders interested in the pod
  Profile::PreFilterOutcome pre_filter_;
  std::optional<CachedResults> cached_;  // absent: every result is computed
  FeasibleNodes feasible_;
  Ranking* ranking_ = nullptr;  // if set, the feasible nodes are (some of) its nodes
  size_t start_ = 0;            // the rank at which the search begins
  size_t visited_ = 0;
  Slot nominated_slot_ = kNoSlot;  // set if its rejection is already in the verdicts
  // The extenders' rejection of the nominated node, which passed the plugins.
  std::vector<NodeVerdicts::Entry> rejected_nominated_;
  std::string_view last_blamed_;
  bool rejected_ = false;  // by a status that holds for all nodes
  bool failed_ = false;
  bool shares_rejection_ = false;  // with equivalent pods
  bool is_known_ = false;          // the outcome is that of an equivalent pod
  Outcome outcome_;
};

Outcome Search::Run() {
  // 1. Without nodes the attempt fails; the pod is retried after its backoff.
  if (outcome_.node_count == 0) {
    Fail(Status::UnschedulableAndUnresolvable("no nodes available to schedule pods"));
    return std::move(outcome_);
  }
  // 2. PreFilter, Filter and the extenders determine the feasible nodes.
  FindInterested();
  if (input_.gang_rejection == nullptr) {
    PreFilter();
  } else {
    RejectGang(*input_.gang_rejection);
  }
  if (!failed_ && !rejected_) FindFeasible();
  if (failed_ || is_known_) return std::move(outcome_);
  outcome_.feasible = feasible_.size();
  outcome_.evaluated = visited_;
  // 3. Select the best feasible node; if there is none, PostFilter may make room.
  if (feasible_.empty()) {
    PostFilter();
    if (shares_rejection_) ShareRejection();
  } else {
    Pick();
  }
  return std::move(outcome_);
}

void Search::PreFilter() {
  pre_filter_ = input_.profile.RunPreFilter(cycle_, input_.trace);
  const Status& status = pre_filter_.status;
  if (!status.ok() && !status.rejected()) return Fail(status);
  // Even if the pod is rejected, events may help for the plugins that restricted the nodes.
  outcome_.unschedulable_plugins = pre_filter_.restricted_by;
  if (!status.ok()) Reject(status, pre_filter_.rejected_by);
}

// Runs once per attempt: the same extenders filter and bind, even if objects change meanwhile.
void Search::FindInterested() {
  const Extenders* all = input_.profile.extenders();
  if (all == nullptr) return;
  InterestedExtenders interested = all->InterestedIn(cycle_.pod, cycle_.snapshot);
  if (interested.list.empty()) return;
  extenders_ = cycle_.state.Write(std::move(interested)).list;
}

void Search::RejectGang(const Status& status) {
  if (input_.trace != nullptr) {
    input_.trace->points.push_back({ExtensionPoint::kPermit, status.plugin, status});
  }
  if (!status.rejected()) return Fail(status);
  Reject(status, status.plugin);
}

void Search::FindFeasible() {
  // The cache does not pay off for the few nodes that PreFilter returned by name.
  if (input_.result_cache != nullptr && !pre_filter_.nodes) {
    cached_.emplace(*input_.result_cache, input_.profile, cycle_);
  }
  const NodeFilter filter(input_.profile, input_.nominated, cycle_, pre_filter_.skipped,
                          input_.trace, cached_ ? &*cached_ : nullptr);
  if (TakeKnownRejection(filter) || TryNominatedNode(filter)) return;
  start_ = input_.start % outcome_.node_count;
  const bool is_ranked = cached_ && TakeRanked(filter);
  if (!is_ranked) feasible_ = FeasibleNodes(Visit(filter, Candidates()));
  if (!failed_ && !extenders_.empty()) AskExtenders(is_ranked);
  visited_ += rejected_nominated_.size();  // that node is visited twice
  // The next pod starts at the node after the last visited one. Upstream takes the modulus of all
  // nodes, even if only some were candidates.
  input_.start = (input_.start + visited_) % outcome_.node_count;
}

// Takes the outcome of an equivalent pod that was just rejected. Pods with a nominated node or
// interested extenders are not equivalent to others. A rejection visits all nodes, so it does not
// move the start of the next search.
bool Search::TakeKnownRejection(const NodeFilter& filter) {
  if (input_.known_rejections == nullptr || input_.trace != nullptr || !cached_ ||
      filter.is_pod_nominated() || !extenders_.empty()) {
    return false;
  }
  shares_rejection_ = true;
  if (input_.known_rejections->empty()) return false;
  const Outcome* known = input_.known_rejections->Find(cached_->RejectionKey(pre_filter_.skipped));
  if (known == nullptr) return false;
  outcome_ = *known;
  is_known_ = true;
  return true;
}

void Search::ShareRejection() {
  std::string key = cached_->RejectionKey(pre_filter_.skipped);
  if (!key.empty()) input_.known_rejections->Add(std::move(key), outcome_);
}

// Tries the node that the pod is nominated to before all others, because preemption made room
// there.
bool Search::TryNominatedNode(const NodeFilter& filter) {
  const std::string& name = input_.pod.pod().status.nominated_node_name;
  if (name.empty()) return false;
  const Slot slot = input_.snapshot.Find(name);
  if (slot == kNoSlot) return false;
  const Profile::FilterOutcome answer = filter.One(slot);
  if (answer.verdict.fits()) {
    if (!DoExtendersTake(slot)) return false;
    feasible_ = FeasibleNodes({slot});
    visited_ = 1;
    return true;
  }
  if (IsRejected(answer.verdict.code())) {
    Reject(slot, answer);
    nominated_slot_ = slot;
  }
  return false;
}

// Calls the extenders for the nominated node alone. An error counts as a rejection: if it is
// permanent, it occurs again when they are called for all nodes.
bool Search::DoExtendersTake(Slot nominated) {
  if (extenders_.empty()) return true;
  std::vector<Slot> nodes = {nominated};
  auto rejected = FilterByExtenders(extenders_, cycle_, nodes, input_.trace);
  if (rejected) rejected_nominated_ = std::move(*rejected);
  return rejected && !nodes.empty();
}

// Takes the feasible nodes from the ranking of the pod's equivalence class and sets `feasible_` and
// `visited_` as Visit would, without visiting nodes. Returns false if a plugin failed or no node
// fits; the nodes are then visited to get the reasons.
bool Search::TakeRanked(const NodeFilter& filter) {
  const PluginIndexSet skipped = pre_filter_.skipped;
  const PluginIndexSet dynamic = cached_->DynamicFilters(skipped);
  Ranking& ranking = cached_->RankingFor(skipped | dynamic);
  if (!ranking.Update(input_.profile, cycle_, skipped | dynamic, *cached_)) return false;
  std::vector<Slot> withdrawn;
  if (!Withdraw(filter, ranking, withdrawn)) return false;

  const auto list = [this, &ranking] { return ranking.NodesFrom(input_.snapshot, start_); };
  if (dynamic.empty() && withdrawn.empty() && ranking.size() <= Wanted(outcome_.node_count)) {
    if (ranking.size() == 0) return false;
    feasible_ = FeasibleNodes(ranking.size(), list);
    visited_ = outcome_.node_count;
  } else {
    std::vector<Slot> nodes = list();
    std::erase_if(nodes, [&](Slot slot) {
      return std::binary_search(withdrawn.begin(), withdrawn.end(), slot);
    });
    if (!dynamic.empty() && !KeepFitting(dynamic, nodes)) return false;
    if (nodes.empty()) return false;
    TakeWanted(std::move(nodes));
  }
  ranking_ = &ranking;
  if (input_.trace != nullptr) {
    const std::vector<Slot> all = Candidates();
    std::vector<Profile::FilterOutcome> answers(all.size());
    filter.Many(all, answers);
  }
  return true;
}

// Collects the nodes of the ranking that do not fit with their nominated pods, sorted by slot.
// Returns false if a plugin failed.
bool Search::Withdraw(const NodeFilter& filter, const Ranking& ranking,
                      std::vector<Slot>& withdrawn) {
  for (const NodeFilter::NominatedNode& node : filter.nominated_nodes()) {
    if (!ranking.Fits(node.slot)) continue;
    const Verdict verdict = filter.WithNominated(node).verdict;
    if (verdict.fits()) continue;
    if (!IsRejected(verdict.code())) return false;
    withdrawn.push_back(node.slot);
  }
  return true;
}

// Runs `filters` on nodes in visiting order and keeps the fitting ones: all of them, or one more
// than wanted. Returns false if a plugin failed.
bool Search::KeepFitting(PluginIndexSet filters, std::vector<Slot>& nodes) const {
  const size_t wanted = Wanted(outcome_.node_count);
  const std::span<const Slot> all = nodes;
  std::vector<Slot> fitting;
  for (size_t first = 0; first < all.size() && fitting.size() <= wanted;) {
    const auto batch =
        all.subspan(first, std::min(BatchSize(wanted, fitting.size()), all.size() - first));
    first += batch.size();
    if (!input_.profile.RunFilterFitting(cycle_, filters, batch, fitting)) return false;
  }
  nodes = std::move(fitting);
  return true;
}

// Limits the feasible nodes to the wanted number. The search begins at the rank `start_`, wraps
// around, and ends at the first feasible node beyond the wanted number.
void Search::TakeWanted(std::vector<Slot> nodes) {
  const auto ranks = input_.snapshot.Ranks();
  const size_t total = outcome_.node_count;
  // The number of nodes that the search visits before this one. `total` is added because the
  // difference is negative for a rank before `start_`.
  const auto distance = [&](Slot slot) { return (ranks[slot] + total - start_) % total; };
  visited_ = total;
  if (const size_t wanted = Wanted(total); nodes.size() > wanted) {
    visited_ = distance(nodes[wanted]);  // where Visit ends
    nodes.resize(wanted);
  }
  // Visit counts results: the nominated node, which was rejected before, is one of them even if the
  // search would have ended before it.
  if (nominated_slot_ != kNoSlot && distance(nominated_slot_) >= visited_) ++visited_;
  feasible_ = FeasibleNodes(std::move(nodes));
}

// Lists the nodes in visiting order, beginning at `start`, and sets the status of the nodes that
// PreFilter excluded.
std::vector<Slot> Search::Candidates() {
  if (!pre_filter_.nodes) {
    const auto order = input_.snapshot.Order();
    return FromStart({order.begin(), order.end()});
  }
  std::vector<Slot> slots;
  for (const std::string& name : *pre_filter_.nodes) {
    if (const Slot slot = input_.snapshot.Find(name); slot != kNoSlot) slots.push_back(slot);
  }
  outcome_.verdicts.absent = ExcludedByPreFilter(input_.profile, pre_filter_.restricted_by);
  return FromStart(std::move(slots));
}

std::vector<Slot> Search::FromStart(std::vector<Slot> slots) const {
  if (slots.empty()) return slots;
  const auto start = static_cast<ptrdiff_t>(input_.start % slots.size());
  std::rotate(slots.begin(), slots.begin() + start, slots.end());
  return slots;
}

// Removes the feasible nodes that extenders reject. The extenders' answers are not part of the
// ranking. Requires: input_.start is still the start of this search.
void Search::AskExtenders(bool is_ranked) {
  if (feasible_.empty()) return;
  const auto fitting = feasible_.slots();
  std::vector<Slot> nodes(fitting.begin(), fitting.end());
  auto rejected = FilterByExtenders(extenders_, cycle_, nodes, input_.trace);
  if (!rejected) return Fail(Status::Failed(rejected.error().message()));
  const bool is_left = !nodes.empty();
  if (nodes.size() != fitting.size()) {
    AddRejector(Code::kUnschedulable, kExtenderPlugin);
    feasible_ = FeasibleNodes(std::move(nodes));
  }
  if (is_left) return;
  // The ranking has no reasons for the nodes that plugins rejected.
  if (is_ranked) {
    Visit(NodeFilter(input_.profile, input_.nominated, cycle_, pre_filter_.skipped,
                     /*trace=*/nullptr, &*cached_),
          Candidates());
  }
  std::vector<NodeVerdicts::Entry>& entries = outcome_.verdicts.entries;
  entries.insert(entries.end(), rejected->begin(), rejected->end());
  for (const NodeVerdicts::Entry& entry : rejected_nominated_) {
    const bool is_known = std::ranges::any_of(
        entries, [&](const NodeVerdicts::Entry& each) { return each.slot == entry.slot; });
    if (!is_known) entries.push_back(entry);
  }
}

// Returns the number of feasible nodes after which the search stops. One is enough if nothing
// scores and no extender may reject it.
size_t Search::Wanted(size_t candidates) const {
  const Profile& profile = input_.profile;
  const auto do_extenders_care = [&profile] {
    const Extenders* extenders = profile.extenders();
    return extenders != nullptr && (extenders->filter() || extenders->score());
  };
  if (!profile.HasScore() && !do_extenders_care()) return 1;
  return NodesToFind(candidates, input_.profile.percentage_of_nodes_to_score());
}

// Returns the size of the next batch when `found` of the wanted nodes were found already.
size_t Search::BatchSize(size_t wanted, size_t found) {
  constexpr size_t kMinBatch = 64;
  return std::max(wanted + 1 - found, kMinBatch);
}

// Filters nodes in order until it finds one more than wanted, like upstream. That node is dropped,
// but the rejections before it count. Nodes are filtered in batches, so a trace may contain rows of
// nodes after the one that ended the search. Returns the fitting nodes.
std::vector<Slot> Search::Visit(const NodeFilter& filter, std::span<const Slot> slots) {
  const size_t wanted = Wanted(slots.size());
  std::vector<Slot> fitting;
  std::vector<Profile::FilterOutcome> answers;
  for (size_t first = 0; first < slots.size();) {
    const auto batch =
        slots.subspan(first, std::min(BatchSize(wanted, fitting.size()), slots.size() - first));
    first += batch.size();
    answers.resize(batch.size());
    filter.Many(batch, answers);
    for (size_t i = 0; i < batch.size(); ++i) {
      if (answers[i].verdict.fits()) {
        if (fitting.size() == wanted) return fitting;
        fitting.push_back(batch[i]);
      } else if (IsRejected(answers[i].verdict.code())) {
        Reject(batch[i], answers[i]);
      } else {
        Fail(Status::FromVerdict(answers[i].verdict, answers[i].plugin));
        return fitting;
      }
      visited_ = fitting.size() + outcome_.verdicts.entries.size();
    }
  }
  return fitting;
}

void Search::Pick() {
  // A single feasible node needs no score.
  if (feasible_.size() == 1) return Place(feasible_.slots().front());
  PluginIndexSet skipped;
  Status status = input_.profile.RunPreScore(cycle_, feasible_, skipped, input_.trace);
  if (!status.ok()) return Fail(std::move(status));
  if (ranking_ != nullptr && PickRanked(skipped)) return;
  std::vector<int64_t> totals(feasible_.size());
  status = input_.profile.RunScore(cycle_, skipped, feasible_.slots(), totals, input_.trace,
                                   cached_ ? &*cached_ : nullptr);
  if (!status.ok()) return Fail(std::move(status));
  Choose(totals);
}

// Takes the totals of the ranking and adds the scores that it does not include. Returns false if a
// plugin failed; all nodes are then scored without the ranking to get the message.
bool Search::PickRanked(PluginIndexSet skipped) {
  const Profile& profile = input_.profile;
  if (!ranking_->Score(profile, cycle_, skipped, *cached_)) return false;
  std::vector<const Profile::Entry<ScorePlugin>*> others;
  for (const auto& entry : profile.scores()) {
    if (skipped.Has(entry.index)) continue;
    if (input_.trace != nullptr || !Ranking::Includes(entry, *cached_)) others.push_back(&entry);
  }
  if (others.empty() && extenders_.empty() && input_.trace == nullptr &&
      feasible_.size() == ranking_->size()) {
    Place(ranking_->Best(input_.snapshot, start_));
    return true;
  }
  const std::span<const Slot> feasible = feasible_.slots();
  std::vector<int64_t> totals(feasible.size());
  if (!ranking_->TotalsOf(feasible, totals)) return false;
  std::vector<int64_t> scores(others.empty() ? 0 : feasible.size());
  for (const auto* entry : others) {
    const Status status =
        profile.ScoreOne(*entry, cycle_, feasible, scores, input_.trace, &*cached_);
    if (!status.ok()) return false;
    if (Ranking::Includes(*entry, *cached_)) continue;  // scored again only for the trace
    for (size_t i = 0; i < totals.size(); ++i) totals[i] += scores[i] * entry->weight;
  }
  if (input_.trace != nullptr) {
    for (size_t i = 0; i < totals.size(); ++i) {
      input_.trace->totals.push_back({feasible[i], totals[i]});
    }
  }
  Choose(totals);
  return true;
}

// Selects the node with the highest total, including the extenders' scores. Among equal totals, a
// random one of the nodes that an extender scored is selected.
void Search::Choose(std::span<int64_t> totals) {
  const std::span<const Slot> nodes = feasible_.slots();
  if (extenders_.empty()) return Place(nodes[SelectHost(totals)]);
  const std::vector<bool> scored =
      ScoreByExtenders(extenders_, cycle_, nodes, totals, input_.trace);
  if (input_.trace != nullptr) {
    input_.trace->totals.clear();
    for (size_t i = 0; i < nodes.size(); ++i) input_.trace->totals.push_back({nodes[i], totals[i]});
  }
  Place(nodes[SelectHost(totals, scored, random())]);
}

// Ends the search. Rejections are only reported for pods that fit no node.
void Search::Place(Slot slot) {
  outcome_.kind = Outcome::Kind::kPlaced;
  outcome_.node = NodeRef(input_.snapshot.At(slot));
  outcome_.verdicts.entries.clear();
  outcome_.unschedulable_plugins = {};
  outcome_.pending_plugins = {};
}

void Search::PostFilter() {
  outcome_.kind = Outcome::Kind::kUnschedulable;
  if (!input_.makes_room || !input_.profile.HasPostFilter()) {
    // No plugin can make room, so an earlier nomination is cleared.
    outcome_.post_filter.mode = NominatingMode::kOverride;
    return;
  }
  const NodeFilter trials(input_.profile, input_.nominated, cycle_, pre_filter_.skipped, nullptr);
  NoEvictions no_evictions;
  PostFilterContext context{
      .cycle = cycle_,
      .verdicts = outcome_.verdicts,
      .trials = trials,
      .evictions = input_.evictions != nullptr ? *input_.evictions : no_evictions,
      .random = random()};
  if (std::ranges::any_of(extenders_, &Extender::preempts)) {
    context.review = [this](std::vector<Candidate> candidates) {
      return ReviewByExtenders(extenders_, cycle_, std::move(candidates));
    };
  }
  outcome_.post_filter =
      input_.profile.RunPostFilter(context, outcome_.unschedulable_plugins, input_.trace);
  outcome_.post_filter_message = outcome_.post_filter.status.Message();
}

void Search::Fail(Status error) {
  failed_ = true;
  outcome_.kind = Outcome::Kind::kError;
  outcome_.error = std::move(error);
  outcome_.unschedulable_plugins = {};
  outcome_.pending_plugins = {};
}

// Rejects the pod with a status that holds for all nodes.
void Search::Reject(const Status& status, std::string_view plugin) {
  outcome_.kind = Outcome::Kind::kUnschedulable;
  rejected_ = true;
  outcome_.verdicts.absent = status;
  outcome_.pre_filter_message = status.Message();
  AddRejector(status.code, plugin);
}

void Search::Reject(Slot slot, const Profile::FilterOutcome& answer) {
  AddRejector(answer.verdict.code(), answer.plugin);
  if (slot == nominated_slot_) {
    outcome_.verdicts.entries.front() = {slot, answer.verdict, answer.plugin};
    return;
  }
  outcome_.verdicts.entries.push_back({slot, answer.verdict, answer.plugin});
}

void Search::AddRejector(Code code, std::string_view plugin) {
  if (plugin.empty()) return;
  // Fast path: most nodes are rejected by the same plugin as the one before.
  if (plugin.data() == last_blamed_.data() && code != Code::kPending) return;
  last_blamed_ = plugin;
  const auto index = input_.profile.IndexOf(plugin);
  if (!index) return;
  outcome_.unschedulable_plugins.Add(*index);
  if (code == Code::kPending) outcome_.pending_plugins.Add(*index);
}

// Reports whether equivalent pods get the same outcome. An error may be temporary, and preemption
// that finds room chooses among several nodes.
bool IsPlainRejection(const Outcome& outcome) {
  const PostFilterResult& post_filter = outcome.post_filter;
  return outcome.kind == Outcome::Kind::kUnschedulable && post_filter.nominated_node.empty() &&
         (post_filter.status.ok() || post_filter.status.rejected());
}

}  // namespace

void KnownRejections::Add(std::string key, const Outcome& outcome) {
  if (!IsPlainRejection(outcome)) return;
  Outcome& kept = by_key_[std::move(key)];
  kept.kind = outcome.kind;
  kept.node_count = outcome.node_count;
  kept.fit_error = FitErrorText(outcome);
  kept.post_filter_message = outcome.post_filter_message;
  kept.post_filter.status = outcome.post_filter.status;
  kept.post_filter.mode = outcome.post_filter.mode;
  kept.post_filter.events_may_help = outcome.post_filter.events_may_help;
  kept.unschedulable_plugins = outcome.unschedulable_plugins;
  kept.pending_plugins = outcome.pending_plugins;
  kept.evaluated = outcome.evaluated;
}

Outcome SchedulePod(const AlgorithmInput& input, CycleState& state) {
  return Search(input, state).Run();
}

Status ExcludedByPreFilter(const Profile& profile, PluginIndexSet restricted_by) {
  return Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [" +
                                              Join(profile.NamesOf(restricted_by), " ") + "]");
}

size_t NodesToFind(size_t nodes, int32_t percentage) {
  constexpr size_t kMinNodesToFind = 100;
  if (percentage <= 0 || nodes < kMinNodesToFind) return nodes;
  return std::max(nodes * static_cast<size_t>(percentage) / 100, kMinNodesToFind);
}

}  // namespace berth::scheduler
