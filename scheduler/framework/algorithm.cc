// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/algorithm.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "scheduler/framework/unserved.h"

namespace berth::scheduler {
namespace {

// Search is one pass of SchedulePod, step by step.
class Search {
 public:
  Search(const AlgorithmInput& input, CycleState& state)
      : input_(input), cycle_{input.pod, input.snapshot, state} {
    outcome_.node_count = input.snapshot.NodeCount();
  }

  Outcome Run();

 private:
  void PreFilter();
  void FindFeasible();
  bool TryNominatedNode(NodeFilter& filter);
  std::vector<Slot> Candidates();
  void Visit(NodeFilter& filter, std::span<const Slot> slots);
  size_t Wanted(size_t candidates) const;
  void Pick();
  void PostFilter();

  void Fail(Status error);
  void Reject(const Status& status, std::string_view plugin);
  void Refuse(Slot slot, const Profile::FilterOutcome& answer);
  void Blame(Code code, std::string_view plugin);

  const AlgorithmInput& input_;
  CycleContext cycle_;
  Profile::PreFilterOutcome pre_filter_;
  std::vector<Slot> feasible_;
  Slot nominated_slot_ = kNoSlot;  // whose refusal is in the verdicts already
  bool rejected_ = false;          // by an answer that holds for all nodes
  bool failed_ = false;
  Outcome outcome_;
};

Outcome Search::Run() {
  // 1. Without nodes there is nothing to explain, and nothing to wait for but an error's backoff.
  if (outcome_.node_count == 0) {
    Fail(Status::UnschedulableAndUnresolvable("no nodes available to schedule pods"));
    return std::move(outcome_);
  }
  // 2. A pod that needs a plugin we do not have is not placed by luck.
  const Status held = RejectUnserved(input_.pod, input_.snapshot, input_.profile.effective());
  if (!held.ok()) {
    const UpstreamPlugin* missing = FindUpstream(held.plugin);
    Reject(held, missing == nullptr ? std::string_view() : missing->name);
    return std::move(outcome_);
  }
  // 3. PreFilter and Filter leave the nodes that fit.
  PreFilter();
  if (!failed_ && !rejected_) FindFeasible();
  if (failed_) return std::move(outcome_);
  outcome_.feasible = feasible_.size();
  outcome_.evaluated = feasible_.size() + outcome_.verdicts.entries.size();
  // 4. The best of them wins; if there is none, PostFilter may make room.
  if (feasible_.empty()) {
    PostFilter();
  } else {
    Pick();
  }
  return std::move(outcome_);
}

void Search::PreFilter() {
  pre_filter_ = input_.profile.RunPreFilter(cycle_, input_.trace);
  const Status& status = pre_filter_.status;
  if (status.ok()) {
    outcome_.unschedulable_plugins = pre_filter_.narrowed_by;
  } else if (status.rejected()) {
    Reject(status, pre_filter_.rejected_by);
    if (pre_filter_.rejected_by.empty()) outcome_.unschedulable_plugins = pre_filter_.narrowed_by;
  } else {
    Fail(status);
  }
}

void Search::FindFeasible() {
  NodeFilter filter(input_.profile, input_.nominated, cycle_, pre_filter_.skipped, input_.trace);
  if (TryNominatedNode(filter)) return;
  Visit(filter, Candidates());
  // The next pod goes on where this one stopped. Upstream reduces by all nodes, even when only some
  // were candidates.
  input_.start =
      (input_.start + feasible_.size() + outcome_.verdicts.entries.size()) % outcome_.node_count;
}

// TryNominatedNode asks the node the pod is nominated to before all others; room was made for it
// there.
bool Search::TryNominatedNode(NodeFilter& filter) {
  const std::string& name = input_.pod.pod().status.nominated_node_name;
  if (name.empty()) return false;
  const Slot slot = input_.snapshot.Find(name);
  if (slot == kNoSlot) return false;
  const Profile::FilterOutcome answer = filter.One(slot);
  if (answer.verdict.fits()) {
    feasible_.push_back(slot);
    return true;
  }
  if (IsRejected(answer.verdict.code())) {
    Refuse(slot, answer);
    nominated_slot_ = slot;
  }
  return false;
}

// Candidates lists the nodes in visiting order, from `start` on, and says what is true of those
// left out.
std::vector<Slot> Search::Candidates() {
  std::vector<Slot> slots;
  if (!pre_filter_.nodes) {
    const auto order = input_.snapshot.Order();
    slots.assign(order.begin(), order.end());
  } else {
    for (const std::string& name : *pre_filter_.nodes) {
      if (const Slot slot = input_.snapshot.Find(name); slot != kNoSlot) slots.push_back(slot);
    }
    const std::vector<std::string_view> plugins(pre_filter_.narrowed_by.begin(),
                                                pre_filter_.narrowed_by.end());
    outcome_.verdicts.absent = Status::UnschedulableAndUnresolvable(
        "node(s) didn't satisfy plugin(s) [" + Join(plugins, " ") + "]");
  }
  if (!slots.empty()) {
    std::rotate(slots.begin(), slots.begin() + static_cast<ptrdiff_t>(input_.start % slots.size()),
                slots.end());
  }
  return slots;
}

// Wanted is how many feasible nodes are enough; where nothing scores, the first is as good as any.
size_t Search::Wanted(size_t candidates) const {
  if (!input_.profile.HasScore()) return 1;
  return NodesToFind(candidates, input_.profile.percentage_of_nodes_to_score());
}

// Visit asks nodes in order until one more than wanted fits, as upstream does; that one is dropped,
// but the refusals before it count. Nodes are asked in batches, so a trace may hold rows of nodes
// behind the one that ended the search.
void Search::Visit(NodeFilter& filter, std::span<const Slot> slots) {
  constexpr size_t kMinBatch = 64;
  const size_t wanted = Wanted(slots.size());
  std::vector<Profile::FilterOutcome> answers;
  for (size_t first = 0; first < slots.size();) {
    const size_t batch_size = std::max(wanted + 1 - feasible_.size(), kMinBatch);
    const auto batch = slots.subspan(first, std::min(batch_size, slots.size() - first));
    first += batch.size();
    answers.resize(batch.size());
    filter.Many(batch, answers);
    for (size_t i = 0; i < batch.size(); ++i) {
      if (answers[i].verdict.fits()) {
        if (feasible_.size() == wanted) return;
        feasible_.push_back(batch[i]);
      } else if (IsRejected(answers[i].verdict.code())) {
        Refuse(batch[i], answers[i]);
      } else {
        return Fail(Status::FromVerdict(answers[i].verdict, answers[i].plugin));
      }
    }
  }
}

void Search::Pick() {
  outcome_.kind = Outcome::Kind::kPlaced;
  if (feasible_.size() == 1) {  // the only one needs no score
    outcome_.node = input_.snapshot.At(feasible_.front()).name;
    return;
  }
  std::vector<int64_t> totals(feasible_.size());
  if (Status status = input_.profile.RunScore(cycle_, feasible_, totals, input_.trace);
      !status.ok()) {
    return Fail(std::move(status));
  }
  outcome_.node = input_.snapshot.At(feasible_[SelectHost(totals)]).name;
}

void Search::PostFilter() {
  outcome_.kind = Outcome::Kind::kUnschedulable;
  if (!input_.profile.HasPostFilter()) {
    // Nobody can make room, so an earlier nomination has no ground any more.
    outcome_.post_filter.mode = NominatingMode::kOverride;
    return;
  }
  outcome_.post_filter = input_.profile.RunPostFilter(cycle_, outcome_.verdicts, input_.trace);
  outcome_.post_filter_message = outcome_.post_filter.status.Message();
}

void Search::Fail(Status error) {
  failed_ = true;
  outcome_.kind = Outcome::Kind::kError;
  outcome_.error = std::move(error);
}

// Reject is for an answer that is the same for all nodes.
void Search::Reject(const Status& status, std::string_view plugin) {
  outcome_.kind = Outcome::Kind::kUnschedulable;
  rejected_ = true;
  outcome_.verdicts.absent = status;
  outcome_.pre_filter_message = status.Message();
  Blame(status.code, plugin);
}

void Search::Refuse(Slot slot, const Profile::FilterOutcome& answer) {
  Blame(answer.verdict.code(), answer.plugin);
  if (slot == nominated_slot_) {
    outcome_.verdicts.entries.front() = {slot, answer.verdict, answer.plugin};
    return;
  }
  outcome_.verdicts.entries.push_back({slot, answer.verdict, answer.plugin});
}

void Search::Blame(Code code, std::string_view plugin) {
  if (plugin.empty()) return;
  outcome_.unschedulable_plugins.insert(plugin);
  if (code == Code::kPending) outcome_.pending_plugins.insert(plugin);
}

}  // namespace

Outcome SchedulePod(const AlgorithmInput& input, CycleState& state) {
  return Search(input, state).Run();
}

}  // namespace berth::scheduler
