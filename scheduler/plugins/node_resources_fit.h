// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/resource_requests.h"
#include "scheduler/plugins/resource_scoring.h"
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {

// NodeResourcesFitArgs are the arguments of NodeResourcesFit. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, NodeResourcesFitArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go.
struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  std::optional<ScoringStrategy> scoring_strategy;

  static auto Fields() {
    return json::Object(
        json::Field("ignoredResources", &NodeResourcesFitArgs::ignored_resources)
            .Doc("Extended resources to ignore: a node need not have them."),
        json::Field("ignoredResourceGroups", &NodeResourcesFitArgs::ignored_resource_groups)
            .Doc("Resource groups to ignore. For example, with example.com the resource "
                 "example.com/gpu is ignored."),
        json::Field("scoringStrategy", &NodeResourcesFitArgs::scoring_strategy)
            .Default(R"({"resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}],)"
                     R"("type":"LeastAllocated"})")
            .Doc("How nodes are scored."));
  }

  std::vector<api::FieldError> Validate() const;

  // Returns the strategy with defaults for missing fields: LeastAllocated, cpu and memory, weight
  // 1.
  ScoringStrategy EffectiveStrategy() const;
};

// NodeResourcesFit filters nodes by free resources, and scores them by their utilization with the
// pod. Extended resources that a DeviceClass offers are looked up on the node, not in DRA. Source:
// kube-scheduler pkg/scheduler/framework/plugins/noderesources/fit.go.
class NodeResourcesFit final : public PreFilterPlugin,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin {
 public:
  using Args = NodeResourcesFitArgs;

  // Requires: args.Validate() found nothing.
  NodeResourcesFit(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override { return HintKeyOf(cycle.pod); }
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  // Compares the pod with an empty node and includes ignored resources, as kube-scheduler does.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  FitRequest RequestOf(const CycleContext& cycle) const;
  bool IsIgnored(std::string_view resource) const;
  QueueingHint PodHint(const PendingPod& pod, const ClusterEvent& event,
                       const EventObjects& objects) const;
  QueueingHint NodeHint(const PendingPod& pod, const EventObjects& objects) const;

  std::set<std::string, std::less<>> ignored_resources_, ignored_groups_;
  ScoredResources scored_;
  ResourceScoring scoring_;
  Vocabulary& words_;
};

}  // namespace berth::scheduler
