// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/coscheduling.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/quantity.h"
#include "base/strings.h"
#include "scheduler/framework/queued_pod.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {
namespace {

using api::FieldError;
using Fixed = ResourceColumns::Fixed;

// In the order of IncompleteGang.
constexpr std::array<std::string_view, 3> kIncompletePolicies = {"ReleaseUnlessRun", "Release",
                                                                 "Keep"};

// Returns the sum of free(node) over all nodes. An overcommitted node counts as 0.
template <class Free>
int64_t RoomFor(const Snapshot& snapshot, Free&& free) {
  int64_t room = 0;
  for (const Slot slot : snapshot.Order()) {
    room = SaturatingAdd(room, std::max<int64_t>(free(snapshot.View(slot)), 0));
  }
  return room;
}

// Returns the amounts of `wanted` that exceed the free resources of all nodes together, as text;
// empty if there are none.
std::string ResourceGap(const Snapshot& snapshot, const Resources& wanted) {
  std::vector<std::string> gap;
  const auto note = [&gap](std::string_view name, const Quantity& amount) {
    gap.push_back(std::string(name) + ": " + amount.ToString());
  };
  const auto lacks = [&](int64_t amount, Fixed resource) {
    if (amount == 0) return int64_t{0};
    return amount - RoomFor(snapshot, [resource](const NodeView& node) {
             return SaturatingSubtract(node.Allocatable(resource), node.Requested(resource));
           });
  };
  if (const int64_t cpu = lacks(wanted.milli_cpu, Fixed::kMilliCpu); cpu > 0) {
    note("cpu", Quantity::FromMilli(cpu));
  }
  if (const int64_t memory = lacks(wanted.memory, Fixed::kMemory); memory > 0) {
    note("memory", Quantity::FromValue(memory, Quantity::Format::kBinarySi));
  }
  if (const int64_t storage = lacks(wanted.ephemeral_storage, Fixed::kEphemeralStorage);
      storage > 0) {
    note("ephemeral-storage", Quantity::FromValue(storage, Quantity::Format::kBinarySi));
  }
  for (const auto& scalar : wanted.scalars) {
    const auto& [name, amount] = scalar;
    const auto free = [&scalar](const NodeView& node) {
      return SaturatingSubtract(node.AllocatableScalar(scalar.first),
                                node.RequestedScalar(scalar.first));
    };
    const int64_t room = snapshot.Columns().IsOffered(name) ? RoomFor(snapshot, free) : 0;
    if (amount > room) note(name.text(), Quantity::FromValue(amount - room));
  }
  return Join(gap, ", ");
}

IncompleteGang PolicyOf(std::string_view name) {
  return static_cast<IncompleteGang>(std::ranges::find(kIncompletePolicies, name) -
                                     kIncompletePolicies.begin());
}

}  // namespace

std::vector<FieldError> CoschedulingArgs::Validate() const {
  if (std::ranges::find(kIncompletePolicies, incomplete_groups) != kIncompletePolicies.end()) {
    return {};
  }
  return {FieldError::NotSupported("incompleteGroups", incomplete_groups, kIncompletePolicies)};
}

PluginDescriptor Coscheduling::Descriptor() {
  return Describe<Coscheduling>({
      .name = "Coscheduling",
      .summary = "Places the pods of a PodGroup together, or none of them.",
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeAllocatable,
                  "the group's minResources may be available"},
                 {Resource::kAssignedPod, action::kDelete,
                  "the group's minResources may be available"}},
      .reads = {ObjectKind::kPodGroup},
      .permissions = {{"gang", "", "pods/eviction", "create"}},
      .example = R"(# The pods of a PodGroup are placed together, or none of them.
plugins:
  multiPoint:
    disabled: [{name: PrioritySort}]
    enabled: [{name: Coscheduling}])",
  });
}

Coscheduling::Coscheduling(const Args& args, const PluginHandle& handle)
    : clock_(handle.clock),
      policy_{.backoff = std::chrono::seconds(args.pod_group_backoff_seconds),
              .incomplete = PolicyOf(args.incomplete_groups),
              .patience = std::chrono::seconds(
                  args.permit_waiting_time_seconds > 0 ? args.permit_waiting_time_seconds : 60)} {}

bool Coscheduling::Less(const QueuedPod& a, const QueuedPod& b) const {
  const int32_t priority_a = a.pod->priority();
  const int32_t priority_b = b.pod->priority();
  if (priority_a != priority_b) return priority_a > priority_b;
  const SteadyTime since_a = a.gang != nullptr ? a.gang->since : a.timestamp;
  const SteadyTime since_b = b.gang != nullptr ? b.gang->since : b.timestamp;
  if (since_a != since_b) return since_a < since_b;
  if (a.gang == nullptr || b.gang == nullptr) return a.gang == nullptr && b.gang != nullptr;
  if (a.gang != b.gang && a.gang->gang != b.gang->gang) return a.gang->gang < b.gang->gang;
  return a.pod->name() < b.pod->name();
}

PreFilterResult Coscheduling::PreFilter(CycleContext& cycle) const {
  const Gang* gang = cycle.snapshot.GangOf(cycle.pod);
  if (gang == nullptr || gang->api() != GangApi::kCoscheduling)
    return PreFilterResult::Of(Status::Success());
  return PreFilterResult::Of(CheckGang(cycle.pod, *gang, {}, cycle.snapshot));
}

Status Coscheduling::CheckGang(const PendingPod& pod, const Gang& gang,
                               const GangAttempts& attempts, const Snapshot& snapshot) const {
  const auto reject = [](std::string why) {
    return Status::UnschedulableAndUnresolvable(std::move(why));
  };
  const GangTerms* terms = gang.terms();
  if (terms == nullptr) return reject("PodGroup " + gang.PodGroupName() + " not found");
  const std::string& scheduler = pod.pod().spec.scheduler_name;
  if (const std::string_view other = gang.AnotherScheduler(scheduler); !other.empty()) {
    return reject(
        "all pods in a single pod group should have the same .spec.schedulerName set, "
        "got: \"" +
        scheduler + "\" and \"" + std::string(other) + "\"");
  }
  // The number of bound members is known only after their binding cycles.
  if (attempts.is_binding) {
    return reject("other pods of PodGroup " + gang.PodGroupName() + " are about to be bound");
  }
  const size_t needed = gang.Needed();
  if (gang.size() < needed) {
    return reject(
        "pre-filter pod " + pod.name() + " cannot find enough sibling pods, current pods number: " +
        std::to_string(gang.size()) + ", minMember of group: " + std::to_string(terms->min_member) +
        (needed < terms->min_member ? ", succeeded: " + std::to_string(terms->succeeded) : ""));
  }
  if (gang.size() - gang.Gated() < needed) {
    return reject("pre-filter pod " + pod.name() +
                  " cannot proceed due to gated pods in the same PodGroup");
  }
  if (policy_.backoff.count() > 0 && attempts.failed &&
      clock_.Now() < *attempts.failed + policy_.backoff) {
    return reject("podGroup " + gang.PodGroupName() + " failed recently");
  }
  // minResources matters only before the first member is placed.
  if (!terms->min_resources || gang.placed() > 0) return Status::Success();
  const std::string gap = ResourceGap(snapshot, *terms->min_resources);
  return gap.empty() ? Status::Success() : reject("resource gap: " + gap);
}

GangRejection Coscheduling::WhyIncomplete(const Gang& gang,
                                          const IncompleteAttempt& attempt) const {
  std::string why = "PodGroup " + gang.PodGroupName();
  if (attempt.victims > 0) {
    why += " waits for the room that preemption makes";
  } else if (!attempt.pod.empty()) {
    why += " gets rejected due to Pod " + attempt.pod +
           " is unschedulable even after PostFilter: " + attempt.why;
  } else {
    why += " gets rejected since only " +
           std::to_string(attempt.counts.fitting + attempt.counts.remaining) + " of the " +
           std::to_string(attempt.missing) + " pods that it needs can be tried";
  }
  return {why, why, why};
}

ResultKey Coscheduling::HintKeyOf(const PendingPod&) const { return ResultKey::Of(""); }

}  // namespace berth::scheduler
