// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/extender_calls.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/log.h"
#include "scheduler/model/resource.h"

namespace berth::scheduler {
namespace {

// A score of 10 in the protocol equals a plugin's score of 100.
constexpr int64_t kMaxExtenderScore = 10;
constexpr int64_t kScale = kMaxNodeScore / kMaxExtenderScore;

// Logged at V(2) only: the port counts errors and logs their begin.
void RecordSkipped(const Extender& extender, const CycleContext& cycle, std::string_view call,
                   const Error& error) {
  log::V(2).Info(
      "Skipped failed extender",
      {{"extender", extender.url()}, {"call", call}, {"pod", cycle.pod.Key()}, {"err", error}});
}

// Keeps the nodes that are in `listed`, in their original order.
void KeepListed(std::vector<Slot> listed, std::vector<Slot>& nodes) {
  std::ranges::sort(listed);
  std::erase_if(nodes, [&](Slot slot) { return !std::ranges::binary_search(listed, slot); });
}

Verdict VerdictOf(const NodeRejection& rejection, CycleState& state) {
  const VerdictReason reason = state.reasons().Add(rejection.message);
  return rejection.is_resolvable ? Verdict::Unschedulable(reason)
                                 : Verdict::UnschedulableAndUnresolvable(reason);
}

// Applies the answer of one extender to `nodes`, `rejected` and the trace.
void ApplyVerdicts(const Extender& extender, const ExtenderVerdicts& verdicts, CycleState& state,
                   std::vector<Slot>& nodes, std::vector<NodeVerdicts::Entry>& rejected,
                   CycleTrace* trace) {
  std::unordered_map<Slot, Verdict> reasons;
  for (const NodeRejection& rejection : verdicts.rejections) {
    reasons.emplace(rejection.slot, VerdictOf(rejection, state));
  }
  const std::vector<Slot> asked = nodes;
  KeepListed(verdicts.fitting, nodes);
  size_t kept = 0;
  for (const Slot slot : asked) {
    Verdict verdict;
    if (kept < nodes.size() && nodes[kept] == slot) {
      ++kept;
    } else if (const auto found = reasons.find(slot); found != reasons.end()) {
      verdict = found->second;
      rejected.push_back({slot, verdict, kExtenderPlugin});
    } else {  // rejected without a reason
      verdict = Verdict::UnschedulableAndUnresolvable(state.reasons().GroupOf({}));
    }
    if (trace) trace->filters.push_back({extender.url(), slot, verdict, /*simulated=*/false});
  }
}

// Validates the candidates that an extender returned. If it is ignorable, candidates without
// victims are dropped.
Result<void> Check(const Extender& extender, const CycleContext& cycle,
                   std::vector<Candidate>& candidates) {
  if (extender.is_ignorable()) {
    std::erase_if(candidates, [](const Candidate& each) { return each.victims.empty(); });
  }
  for (const Candidate& candidate : candidates) {
    const std::string node = "node \"" + candidate.node.name() + "\"";
    if (candidate.victims.empty()) {
      return Fail(Reason::kInvalid,
                  "extender \"" + extender.url() + "\" returned " + node + " without victims");
    }
    for (const auto& victim : candidate.victims) {
      if (victim->priority() < cycle.pod.priority()) continue;
      return Fail(Reason::kInvalid, "extender \"" + extender.url() + "\" claims to preempt pod \"" +
                                        victim->Key() + "\" on " + node +
                                        ", which is not of lower priority");
    }
  }
  return {};
}

Result<std::vector<Candidate>> Review(const Extender& extender, const CycleContext& cycle,
                                      std::span<const Candidate> candidates) {
  BERTH_TRY(auto left, extender.Preempt(cycle, candidates));
  BERTH_TRY_VOID(Check(extender, cycle, left));
  return left;
}

}  // namespace

int64_t WeightedScore(int64_t score, int64_t weight) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(score, weight, &product)) return product;
  return (score < 0) == (weight < 0) ? std::numeric_limits<int64_t>::max()
                                     : std::numeric_limits<int64_t>::min();
}

Result<std::vector<NodeVerdicts::Entry>> FilterByExtenders(ExtenderList extenders,
                                                           const CycleContext& cycle,
                                                           std::vector<Slot>& nodes,
                                                           CycleTrace* trace) {
  std::vector<NodeVerdicts::Entry> rejected;
  for (const Extender* extender : extenders) {
    if (nodes.empty()) break;
    if (!extender->filters()) continue;
    const auto verdicts = extender->Filter(cycle, nodes);
    if (verdicts) {
      ApplyVerdicts(*extender, *verdicts, cycle.state, nodes, rejected, trace);
    } else if (extender->is_ignorable()) {
      RecordSkipped(*extender, cycle, "filter", verdicts.error());
    } else {
      return Fail(verdicts.error());
    }
  }
  return rejected;
}

std::vector<bool> ScoreByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                   std::span<const Slot> nodes, std::span<int64_t> totals,
                                   CycleTrace* trace) {
  std::vector<bool> scored(nodes.size(), false);
  std::vector<std::pair<const Extender*, ExtenderPort::AwaitScores>> asked;
  for (const Extender* extender : extenders) {
    if (extender->prioritizes()) {
      asked.emplace_back(extender, extender->Prioritize(cycle, nodes));
    } else {
      scored.assign(nodes.size(), true);
    }
  }
  if (asked.empty()) return scored;
  std::unordered_map<Slot, size_t> places;
  for (size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i], i);
  for (const auto& [extender, await] : asked) {
    const auto scores = extender->Await(await);
    if (!scores) {
      RecordSkipped(*extender, cycle, "prioritize", scores.error());
      continue;
    }
    for (const auto& [slot, score] : *scores) {
      const auto place = places.find(slot);
      if (place == places.end()) continue;
      const int64_t scaled = WeightedScore(score, kScale);
      int64_t& total = totals[place->second];
      total = SaturatingAdd(total, WeightedScore(scaled, extender->weight()));
      scored[place->second] = true;
      if (trace) {
        trace->scores.push_back({extender->url(), slot, score, scaled, extender->weight()});
      }
    }
  }
  return scored;
}

Result<std::vector<Candidate>> ReviewByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                                 std::vector<Candidate> candidates) {
  for (const Extender* extender : extenders) {
    if (candidates.empty()) break;
    if (!extender->preempts()) continue;
    auto left = Review(*extender, cycle, candidates);
    if (left) {
      candidates = std::move(*left);
    } else if (extender->is_ignorable()) {
      RecordSkipped(*extender, cycle, "preempt", left.error());
    } else {
      return left;
    }
  }
  return candidates;
}

void BindByExtenders(ExtenderList extenders, const CycleContext& cycle, const NodeRef& node,
                     StatusDone done) {
  const auto binder = std::ranges::find_if(extenders, &Extender::binds);
  if (binder == extenders.end()) return done(Status::Skip());
  const Extender& extender = **binder;
  const ExtenderList others = extenders.subspan(binder - extenders.begin() + 1);
  extender.Bind(cycle, node,
                [&extender, others, &cycle, node, done = std::move(done)](Result<void> result) {
                  if (result) return done(Status::Success());
                  if (!extender.is_ignorable()) {
                    return done(Status::Failed(result.error().message()));
                  }
                  RecordSkipped(extender, cycle, "bind", result.error());
                  BindByExtenders(others, cycle, node, done);
                });
}

}  // namespace berth::scheduler
