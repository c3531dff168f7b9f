// SPDX-License-Identifier: Apache-2.0
// The extension points that search for a node: PreEnqueue, PreFilter, Filter, PostFilter. The
// others are in profile_score.cc and profile_bind.cc.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <numeric>

#include "base/strings.h"
#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/guard.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

using internal::FailedIn;
using internal::Guarded;
using internal::GuardedStatus;

namespace {

// Intersects the sets of names.
void Narrow(std::optional<std::set<std::string>>& nodes, std::set<std::string> narrower) {
  if (!nodes) {
    nodes = std::move(narrower);
    return;
  }
  std::erase_if(*nodes, [&](const std::string& name) { return !narrower.contains(name); });
}

Status NoNodeSatisfies(const std::vector<std::string_view>& names) {
  if (names.size() == 1) {
    return Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin " +
                                                std::string(names.front()));
  }
  return Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [" +
                                              Join(names, " ") + "] simultaneously");
}

Verdict FailedVerdict(const CycleContext& cycle, std::string_view text) {
  return Verdict::Failed(cycle.state.reasons().Add(text));
}

// Runs one filter plugin. If it throws, it has failed on all nodes.
void AskFilter(const Profile::Entry<FilterPlugin>& entry, const CycleContext& cycle,
               std::span<const Slot> slots, std::span<Verdict> verdicts, CachedResults* cached) {
  std::ranges::fill(verdicts, Verdict::Fits());
  Guarded(
      entry.call,
      [&] {
        if (cached == nullptr) {
          entry.plugin->FilterBatch(cycle, slots, verdicts);
        } else {
          cached->Filter(entry, cycle, slots, verdicts);
        }
      },
      [&](const std::string& text) { std::ranges::fill(verdicts, FailedVerdict(cycle, text)); });
}

}  // namespace

Status Profile::RunPreEnqueue(const PendingPod& pod, const EnqueueContext& context,
                              std::optional<size_t> first) const {
  const auto ask = [&](const Entry<PreEnqueuePlugin>& entry) {
    return GuardedStatus(entry, [&] { return entry.plugin->PreEnqueue(pod, context); });
  };
  const auto gating = std::ranges::find_if(
      pre_enqueues_, [first](const auto& entry) { return first == entry.index; });
  if (gating != pre_enqueues_.end()) {
    if (Status status = ask(*gating); !status.ok()) return status;
  }
  for (const Entry<PreEnqueuePlugin>& entry : pre_enqueues_) {
    if (first == entry.index) continue;
    if (Status status = ask(entry); !status.ok()) return status;
  }
  return Status::Success();
}

Profile::PreFilterOutcome Profile::RunPreFilter(CycleContext& cycle, CycleTrace* trace) const {
  PreFilterOutcome outcome;
  for (const Entry<PreFilterPlugin>& entry : pre_filters_) {
    PreFilterResult result = Guarded(
        entry.call, [&] { return entry.plugin->PreFilter(cycle); },
        [](std::string text) { return PreFilterResult::Of(Status::Failed(text)); });
    result.status.plugin = entry.name;
    if (trace) trace->points.push_back({ExtensionPoint::kPreFilter, entry.name, result.status});

    switch (result.status.code) {
      case Code::kSkip:
        outcome.skipped.Add(entry.index);
        break;
      case Code::kUnschedulable:  // later plugins still run; the last rejection counts
        outcome.status = std::move(result.status);
        outcome.rejected_by = entry.name;
        break;
      case Code::kUnschedulableAndUnresolvable:
        outcome.status = std::move(result.status);
        outcome.rejected_by = entry.name;
        outcome.nodes.reset();
        outcome.restricted_by = {};
        return outcome;
      case Code::kSuccess:
        if (!result.nodes) break;
        outcome.restricted_by.Add(entry.index);
        Narrow(outcome.nodes, std::move(*result.nodes));
        if (outcome.nodes->empty()) {
          outcome.status = NoNodeSatisfies(NamesOf(outcome.restricted_by));
          outcome.rejected_by = {};
          return outcome;
        }
        break;
      default:  // including kPending, which is only allowed from Filter on
        outcome.status = FailedIn("PreFilter plugin", result.status);
        outcome.rejected_by = {};
        return outcome;
    }
  }
  return outcome;
}

Profile::FilterOutcome Profile::RunFilter(const CycleContext& cycle, PluginIndexSet skipped,
                                          const NodeView& node, CycleTrace* trace) const {
  for (const Entry<FilterPlugin>& entry : filters_) {
    if (skipped.Has(entry.index)) continue;
    const Verdict verdict = Guarded(
        entry.call, [&] { return entry.plugin->Filter(cycle, node); },
        [&](std::string_view text) { return FailedVerdict(cycle, text); });
    if (trace) trace->filters.push_back({entry.name, node.slot(), verdict, node.simulated()});
    if (!verdict.fits()) return {verdict, entry.name};
  }
  return {};
}

void Profile::RunFilterBatch(const CycleContext& cycle, PluginIndexSet skipped,
                             std::span<const Slot> slots, std::span<FilterOutcome> out,
                             CycleTrace* trace, CachedResults* cached) const {
  std::fill(out.begin(), out.end(), FilterOutcome{});
  // Local to this call, because a plugin may run filters in its callback. The few nodes that
  // changed since the last pod need no heap allocation.
  std::array<std::byte, 4096> room;
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<Slot> alive(slots.begin(), slots.end(), &memory);  // not rejected so far
  std::pmr::vector<uint32_t> positions(slots.size(), &memory);        // their indexes in `slots`
  std::pmr::vector<Verdict> verdicts(slots.size(), Verdict::Fits(), &memory);
  std::iota(positions.begin(), positions.end(), 0);

  for (const Entry<FilterPlugin>& entry : filters_) {
    if (alive.empty()) return;
    if (skipped.Has(entry.index)) continue;
    AskFilter(entry, cycle, alive, std::span(verdicts).first(alive.size()), cached);
    size_t fitting = 0;
    for (size_t i = 0; i < alive.size(); ++i) {
      if (trace) trace->filters.push_back({entry.name, alive[i], verdicts[i], /*simulated=*/false});
      if (verdicts[i].fits()) {
        alive[fitting] = alive[i];
        positions[fitting++] = positions[i];
      } else {
        out[positions[i]] = {verdicts[i], entry.name};
      }
    }
    alive.resize(fitting);
    positions.resize(fitting);
  }
}

bool Profile::RunFilterFitting(const CycleContext& cycle, PluginIndexSet filters,
                               std::span<const Slot> slots, std::vector<Slot>& fitting) const {
  std::vector<Slot> alive(slots.begin(), slots.end());
  std::vector<Verdict> verdicts(slots.size(), Verdict::Fits());
  for (const Entry<FilterPlugin>& entry : filters_) {
    if (alive.empty()) return true;
    if (!filters.Has(entry.index)) continue;
    AskFilter(entry, cycle, alive, std::span(verdicts).first(alive.size()), /*cached=*/nullptr);
    size_t left = 0;
    for (size_t i = 0; i < alive.size(); ++i) {
      const Code code = verdicts[i].code();
      if (code != Code::kSuccess && !IsRejected(code)) return false;
      alive[left] = alive[i];
      left += code == Code::kSuccess ? 1 : 0;  // branch-free: rejections are hard to predict
    }
    alive.resize(left);
  }
  fitting.insert(fitting.end(), alive.begin(), alive.end());
  return true;
}

PostFilterResult Profile::RunPostFilter(PostFilterContext& context, PluginIndexSet& rejectors,
                                        CycleTrace* trace) const {
  PostFilterResult rejection;
  rejection.status = Status{Code::kUnschedulable, {}, {}};
  for (const Entry<PostFilterPlugin>& entry : post_filters_) {
    PostFilterResult result = Guarded(
        entry.call, [&] { return entry.plugin->PostFilter(context); },
        [](std::string text) {
          return PostFilterResult{Status::Failed(text), {}, {}};
        });
    result.status.plugin = entry.name;
    if (result.events_may_help) rejectors.Add(entry.index);
    if (trace) trace->points.push_back({ExtensionPoint::kPostFilter, entry.name, result.status});
    if (result.status.ok() || result.status.code == Code::kUnschedulableAndUnresolvable) {
      return result;
    }
    if (!result.status.rejected()) {
      result.status.code = Code::kError;
      result.mode = NominatingMode::kNoop;
      return result;
    }
    rejection.status.reasons.insert(rejection.status.reasons.end(), result.status.reasons.begin(),
                                    result.status.reasons.end());
    if (rejection.status.plugin.empty()) rejection.status.plugin = entry.name;
    if (result.mode == NominatingMode::kOverride) {
      rejection.mode = result.mode;
      rejection.nominated_node = std::move(result.nominated_node);
    }
    if (result.preemption) rejection.preemption = std::move(result.preemption);
  }
  return rejection;
}

std::optional<std::string> Profile::RejectionKeyOf(const PendingPod& pod) const {
  std::string all;
  for (const Entry<PostFilterPlugin>& entry : post_filters_) {
    const ResultKey key = Guarded(
        entry.call, [&] { return entry.plugin->RejectionKeyOf(pod); },
        [](const std::string&) { return ResultKey::None(); });
    if (!key.usable()) return std::nullopt;
    all += std::to_string(key.text().size()) + ":" + key.text();
  }
  return all;
}

}  // namespace berth::scheduler
