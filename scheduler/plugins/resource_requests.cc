// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/resource_requests.h"

#include <algorithm>
#include <string>

namespace berth::scheduler {
namespace {

bool Exceeds(int64_t request, int64_t allocatable, int64_t requested) {
  return request > 0 && request > SaturatingSubtract(allocatable, requested);
}

}  // namespace

FitRequest FitRequest::Of(const CycleContext& cycle, const Vocabulary& words,
                          const Ignored& ignored) {
  const Resources& requests = cycle.pod.requests();
  FitRequest fit{.milli_cpu = requests.milli_cpu,
                 .memory = requests.memory,
                 .ephemeral_storage = requests.ephemeral_storage};
  std::vector<VerdictReason> unoffered;
  for (const auto& [name, amount] : requests.scalars) {
    const std::string_view text = words.Text(name);
    if (amount <= 0 || (IsExtendedResource(text) && ignored(text))) continue;
    const VerdictReason reason =
        cycle.state.reasons().AddRecurring("Insufficient " + std::string(text));
    if (cycle.snapshot.Columns().IsOffered(name)) {
      fit.scalars.push_back({name, amount, reason});
    } else {
      unoffered.push_back(reason);
    }
  }
  if (!unoffered.empty()) fit.unoffered = cycle.state.reasons().GroupOf(unoffered);
  return fit;
}

Verdict FitRequest::Check(const NodeView& node, CycleState& state,
                          std::vector<VerdictReason>& scratch) const {
  static const VerdictReason kPods = VerdictReason::Intern("Too many pods");
  static const VerdictReason kCpu = VerdictReason::Intern("Insufficient cpu");
  static const VerdictReason kMemory = VerdictReason::Intern("Insufficient memory");
  static const VerdictReason kStorage = VerdictReason::Intern("Insufficient ephemeral-storage");
  scratch.clear();
  bool unresolvable = unoffered.has_value();
  const auto compare = [&](int64_t request, int64_t allocatable, int64_t requested,
                           VerdictReason reason) {
    if (!Exceeds(request, allocatable, requested)) return;
    scratch.push_back(reason);
    unresolvable |= request > allocatable;
  };
  if (node.Requested(ResourceColumns::kPods) + 1 > node.Allocatable(ResourceColumns::kPods)) {
    scratch.push_back(kPods);
  }
  compare(milli_cpu, node.Allocatable(ResourceColumns::kMilliCpu),
          node.Requested(ResourceColumns::kMilliCpu), kCpu);
  compare(memory, node.Allocatable(ResourceColumns::kMemory),
          node.Requested(ResourceColumns::kMemory), kMemory);
  compare(ephemeral_storage, node.Allocatable(ResourceColumns::kEphemeralStorage),
          node.Requested(ResourceColumns::kEphemeralStorage), kStorage);
  for (const Scalar& scalar : scalars) {
    compare(scalar.amount, node.AllocatableScalar(scalar.name), node.RequestedScalar(scalar.name),
            scalar.insufficient);
  }
  if (unoffered) scratch.push_back(*unoffered);
  if (scratch.empty()) return Verdict::Fits();
  return Verdict::Of(unresolvable ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable,
                     state.reasons().GroupOf(scratch));
}

bool FitsEmptyNode(const Resources& requests, const Resources& allocatable, int64_t pods) {
  return pods >= 1 && !Exceeds(requests.milli_cpu, allocatable.milli_cpu, 0) &&
         !Exceeds(requests.memory, allocatable.memory, 0) &&
         !Exceeds(requests.ephemeral_storage, allocatable.ephemeral_storage, 0) &&
         std::none_of(requests.scalars.begin(), requests.scalars.end(), [&](const auto& scalar) {
           return Exceeds(scalar.second, allocatable.Scalar(scalar.first), 0);
         });
}

FitColumns::FitColumns(const FitRequest& request, const ResourceColumns& columns)
    : possible_(!request.unoffered) {
  const auto want = [&](ResourceColumns::Fixed resource, int64_t amount) {
    if (amount > 0) wanted_.push_back({columns.ViewOf(resource), amount});
  };
  wanted_.reserve(ResourceColumns::kFixedCount + request.scalars.size());
  want(ResourceColumns::kPods, 1);
  want(ResourceColumns::kMilliCpu, request.milli_cpu);
  want(ResourceColumns::kMemory, request.memory);
  want(ResourceColumns::kEphemeralStorage, request.ephemeral_storage);
  for (const FitRequest::Scalar& scalar : request.scalars) {
    wanted_.push_back({columns.ViewOf(scalar.name), scalar.amount});
  }
}

bool FitColumns::Fits(Slot slot) const {
  return possible_ && std::all_of(wanted_.begin(), wanted_.end(), [slot](const Wanted& wanted) {
           const auto [allocatable, requested] = wanted.amounts[slot];
           return !Exceeds(wanted.request, allocatable, requested);
         });
}

Resources ScoringRequests(const PendingPod& pod, Vocabulary& words) {
  if (ReportsResources(pod.pod()) || HasPodLevelRequests(pod.pod())) {
    return ToResources(
        PodRequests(pod.pod(), {.pod_level = false, .default_cpu = true, .default_memory = true}),
        words);
  }
  // The precomputed figures differ only for resized pods and pods with pod-level requests.
  Resources requests = pod.requests();
  requests.milli_cpu = pod.non_zero_milli_cpu();
  requests.memory = pod.non_zero_memory();
  return requests;
}

}  // namespace berth::scheduler
