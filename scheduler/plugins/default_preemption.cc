// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/default_preemption.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

using api::FieldError;

constexpr std::array<std::string_view, 2> kBudgetPolicies = {"Prefer", "Respect"};

}  // namespace

std::vector<FieldError> DefaultPreemptionArgs::Validate() const {
  constexpr std::string_view kPercentage = "minCandidateNodesPercentage";
  constexpr std::string_view kAbsolute = "minCandidateNodesAbsolute";
  std::vector<FieldError> errors;
  const auto reject = [&errors](std::string_view field, int32_t value, std::string detail) {
    errors.push_back(FieldError::Invalid(std::string(field), value, std::move(detail)));
  };
  if (min_candidate_nodes_percentage < 0 || min_candidate_nodes_percentage > 100) {
    reject(kPercentage, min_candidate_nodes_percentage, "not in valid range [0, 100]");
  }
  if (min_candidate_nodes_absolute < 0) {
    reject(kAbsolute, min_candidate_nodes_absolute, "not in valid range [0, inf)");
  }
  if (min_candidate_nodes_percentage == 0 && min_candidate_nodes_absolute == 0) {
    reject(kPercentage, 0, "cannot be zero at the same time as minCandidateNodesAbsolute");
    reject(kAbsolute, 0, "cannot be zero at the same time as minCandidateNodesPercentage");
  }
  if (std::ranges::find(kBudgetPolicies, pdb) == kBudgetPolicies.end()) {
    errors.push_back(FieldError::NotSupported("pdb", pdb, kBudgetPolicies));
  }
  return errors;
}

PluginDescriptor DefaultPreemption::Descriptor() {
  return Describe<DefaultPreemption>({
      .name = "DefaultPreemption",
      .summary = "Makes room for a pod that fits no node by removing pods of lower priority.",
      // Pod deletions are not listed: the evictor reopens the PreEnqueue gate.
      .events = {{Resource::kPodDisruptionBudget, action::kUpdate | action::kDelete,
                  "a budget that pdb: Respect honors may allow more disruptions"}},
      .reads = {ObjectKind::kPodDisruptionBudget},
      .permissions = {{"preemption", "", "pods", "delete"},
                      {"preemption", "", "pods/eviction", "create"}},
      .example = R"(# Preemption never violates a PodDisruptionBudget.
pluginConfig:
- name: DefaultPreemption
  args:
    pdb: Respect
    minCandidateNodesPercentage: 20)",
  });
}

DefaultPreemption::DefaultPreemption(const Args& args, const PluginHandle& handle)
    : options_{.min_candidate_nodes_percentage = args.min_candidate_nodes_percentage,
               .min_candidate_nodes_absolute = args.min_candidate_nodes_absolute,
               .budgets = args.pdb == "Respect" ? BudgetPolicy::kRespect : BudgetPolicy::kPrefer},
      clock_(handle.clock) {}

ResultKey DefaultPreemption::HintKeyOf(const PendingPod&) const { return ResultKey::Of(""); }

QueueingHint DefaultPreemption::Hint(const PendingPod&, const ClusterEvent&,
                                     const EventObjects&) const {
  return QueueIf(options_.budgets == BudgetPolicy::kRespect);
}

Status DefaultPreemption::PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const {
  if (!context.evictions.IsPreempting(pod.uid())) return Status::Success();
  return Status::UnschedulableAndUnresolvable(
      "waiting for the preemption for this pod to be finished");
}

PostFilterResult DefaultPreemption::PostFilter(PostFilterContext& context) const {
  PostFilterResult result = Preempt(context, options_, clock_.Wall());
  std::vector<std::string>& reasons = result.status.reasons;
  if (!reasons.empty()) reasons.front() = "preemption: " + reasons.front();
  return result;
}

ResultKey DefaultPreemption::RejectionKeyOf(const PendingPod& pod) const {
  return ResultKey::Of(std::to_string(pod.priority()) + "/" +
                       pod.pod().spec.preemption_policy.value_or(""));
}

}  // namespace berth::scheduler
