// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/preemption/evaluator.h"

namespace berth::scheduler {

// DefaultPreemptionArgs are the arguments of DefaultPreemption: upstream's and `pdb`. Source:
// k8s.io/kube-scheduler config/v1/types_pluginargs.go, DefaultPreemptionArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go, ValidateDefaultPreemptionArgs.
struct DefaultPreemptionArgs {
  int32_t min_candidate_nodes_percentage = 10;
  int32_t min_candidate_nodes_absolute = 100;
  std::string pdb = "Prefer";

  static auto Fields() {
    return json::Object(
        json::Field("minCandidateNodesPercentage",
                    &DefaultPreemptionArgs::min_candidate_nodes_percentage)
            .Min(0)
            .Max(100)
            .Default("10")
            .Doc("Minimum number of candidate nodes to evaluate, as a percentage of the nodes "
                 "where preemption may help."),
        json::Field("minCandidateNodesAbsolute",
                    &DefaultPreemptionArgs::min_candidate_nodes_absolute)
            .Min(0)
            .Default("100")
            .Doc("Minimum number of candidate nodes to evaluate, whatever the percentage."),
        json::Field("pdb", &DefaultPreemptionArgs::pdb)
            .OneOf("Prefer|Respect")
            .Default("\"Prefer\"")
            .Doc("How preemption treats PodDisruptionBudgets. Prefer violates a budget only if no "
                 "other candidate exists, as in kube-scheduler. Respect never violates one, and "
                 "evicts pods instead of deleting them."));
  }

  std::vector<api::FieldError> Validate() const;
};

// DefaultPreemption makes room for a pod that fits no node: it removes pods of lower priority from
// one node, and keeps the preemptor out of the queue until their removal has been requested.
// Source: kube-scheduler pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go.
class DefaultPreemption final : public PreEnqueuePlugin, public PostFilterPlugin {
 public:
  using Args = DefaultPreemptionArgs;

  // Requires: args.Validate() found nothing.
  DefaultPreemption(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

  Status PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const override;
  PostFilterResult PostFilter(PostFilterContext& context) const override;
  ResultKey RejectionKeyOf(const PendingPod& pod) const override;

 private:
  const PreemptionOptions options_;
  const Clock& clock_;
};

}  // namespace berth::scheduler
