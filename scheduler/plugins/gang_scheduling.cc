// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/gang_scheduling.h"

#include <string_view>
#include <utility>

#include "api/native_pod_group.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {
namespace {

Status Wait(std::string why) { return Status::UnschedulableAndUnresolvable(std::move(why)); }

std::string Quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace

PluginDescriptor GangScheduling::Descriptor() {
  return Describe<GangScheduling>({
      .name = "GangScheduling",
      .summary = "Places the pods of a scheduling.k8s.io PodGroup together, or none of them.",
      // Pods and PodGroups are not listed: the scheduler retries a group when it changes.
      .no_event_helps = true,
      .reads = {ObjectKind::kNativePodGroup},
      .permissions = {{"podgroups", api::NativePodGroup::kResource.group, "podgroups/status",
                       "patch"}},
      .example = R"(# Pods of PodGroups are scheduled one by one.
plugins:
  multiPoint:
    disabled: [{name: GangScheduling}])",
  });
}

Status GangScheduling::PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const {
  if (pod.pod_group().empty() || context.cluster == nullptr) return Status::Success();
  const Gang* gang = context.cluster->GangOf(pod);
  if (gang == nullptr || gang->IsReady()) return Status::Success();
  if (gang->terms() == nullptr) {
    return Wait("waiting for pods's pod group " + Quoted(gang->name()) +
                " to appear in scheduling queue");
  }
  if (gang->size() < gang->Needed()) {
    return Wait("waiting for minCount pods from a gang to appear in scheduling queue");
  }
  if (pod.has_scheduling_gates()) return Status::Success();  // SchedulingGates names them
  return Wait("waiting for the scheduling gates of other pods of pod group " +
              Quoted(gang->name()));
}

Status GangScheduling::CheckGang(const PendingPod& pod, const Gang& gang,
                                 const GangAttempts& attempts, const Snapshot&) const {
  const GangTerms* terms = gang.terms();
  // Members that were queued before the group was deleted.
  if (terms == nullptr) {
    return Wait("waiting for pods's pod group " + Quoted(gang.name()) +
                " to appear in scheduling queue");
  }
  const std::string& scheduler = pod.pod().spec.scheduler_name;
  if (const std::string_view other = gang.AnotherScheduler(scheduler); !other.empty()) {
    return Status::Failed(
        "all pods in a single pod group should have the same .spec.schedulerName set, got: " +
        Quoted(scheduler) + " and " + Quoted(other));
  }
  if (const auto other = gang.AnotherPriority(*terms->priority)) {
    return Status::Failed(
        "all pods in a single pod group should have the same priority as the pod group's priority, "
        "got " +
        std::to_string(*other) + " and " + std::to_string(*terms->priority));
  }
  if (gang.HasMixedPreemption()) {
    return Status::Failed(
        "all pods in a single pod group should have the same preemption policy, got "
        "PreemptLowerPriority and Never");
  }
  if (terms->has_claims) {
    return Wait("pod group " + Quoted(gang.name()) +
                " has resourceClaims, and this scheduler allocates no devices");
  }
  if (!terms->topology_key.empty()) {
    return Wait("pod group " + Quoted(gang.name()) + " has the topology constraint " +
                Quoted(terms->topology_key) + ", which this scheduler does not support yet");
  }
  // The number of bound members is known only after their binding cycles.
  if (attempts.is_binding) {
    return Wait("other pods of PodGroup " + gang.PodGroupName() + " are about to be bound");
  }
  return Status::Success();
}

// All nodes together count as one placement. Source of the texts: kube-scheduler
// pkg/scheduler/schedule_one_podgroup.go; framework/preemption/podgrouppreemption.go.
GangRejection GangScheduling::WhyIncomplete(const Gang& gang,
                                            const IncompleteAttempt& attempt) const {
  const std::string unschedulable = "pod group is unschedulable, ";
  const auto counted = [&](const IncompleteAttempt::Counts& counts) {
    return unschedulable + "0/1 placements are available, first placement status: minCount (" +
           std::to_string(gang.terms()->min_member) +
           ") cannot be satisfied: " + std::to_string(counts.placed) + " scheduled, " +
           std::to_string(counts.remaining) + " remaining";
  };
  const std::string untried = counted(attempt.counts);
  std::string why = untried;
  const auto add = [&why](const std::string& text) { why += ", pod group preemption: " + text; };
  switch (attempt.preemption) {
    case GangPreemption::kNone:
      break;
    case GangPreemption::kForbidden:
      add("not eligible due to preemptionPolicy=Never.");
      break;
    case GangPreemption::kNoVictims:
      add("No preemption victims found for incoming preemptor");
      break;
    case GangPreemption::kUnderWay:
      add("ongoing preemption on nominated nodes");
      return {why, why, untried};
    case GangPreemption::kNotEnough:
      add(counted(attempt.with_preemption));
      break;
    case GangPreemption::kFound:
      add("found a placement for podgroup, preempting " + std::to_string(attempt.victims) +
          " victims");
      return {why, why, untried};
  }
  return {.of_group = why, .of_fitting = unschedulable + why, .of_untried = untried};
}

ResultKey GangScheduling::HintKeyOf(const PendingPod&) const { return ResultKey::Of(""); }

}  // namespace berth::scheduler
