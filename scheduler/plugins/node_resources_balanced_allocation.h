// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {

// NodeResourcesBalancedAllocationArgs are the arguments of NodeResourcesBalancedAllocation. Source:
// k8s.io/kube-scheduler config/v1/types_pluginargs.go, NodeResourcesBalancedAllocationArgs.
struct NodeResourcesBalancedAllocationArgs {
  std::vector<WeightedResource> resources;

  static auto Fields() {
    return json::Object(
        json::Field("resources", &NodeResourcesBalancedAllocationArgs::resources)
            .Default(R"([{"name":"cpu","weight":1},{"name":"memory","weight":1}])")
            .Doc("Resources to balance. All have the same weight: only 1 is allowed."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodeResourcesBalancedAllocation prefers nodes whose resource usage becomes more balanced with the
// pod. The balance of a node is 100 * (1 - standard deviation of the requested fractions of its
// resources). The score is 50 + (50 + balance with the pod - balance without it) / 2. A pod that
// requests none of the resources is not scored. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go.
class NodeResourcesBalancedAllocation final : public PreScorePlugin, public ScorePlugin {
 public:
  using Args = NodeResourcesBalancedAllocationArgs;

  // Requires: args.Validate() found nothing.
  NodeResourcesBalancedAllocation(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;

 private:
  ScoredResources scored_;
};

}  // namespace berth::scheduler
