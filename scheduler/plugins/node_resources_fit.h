// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/node_resources_fit_args.h"
#include "scheduler/plugins/resource_requests.h"
#include "scheduler/plugins/resource_scoring.h"
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {

// NodeResourcesFit admits a pod where what it requests is free, and scores nodes by how full they
// would be. Extended resources that a DeviceClass offers are asked of the node, not of DRA. Source:
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

  ReuseKey KeyOf(const PodInfo& pod) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, std::span<const Slot> feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;

  // Hint compares with an empty node and does not honour ignored resources, as kube-scheduler.
  QueueingHint Hint(const PodInfo& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  FitRequest RequestOf(const PodInfo& pod) const;
  bool IsIgnored(std::string_view resource) const;
  QueueingHint PodHint(const PodInfo& pod, const ClusterEvent& event,
                       const EventObjects& objects) const;
  QueueingHint NodeHint(const PodInfo& pod, const EventObjects& objects) const;

  std::set<std::string, std::less<>> ignored_resources_, ignored_groups_;
  ScoredResources scored_;
  ResourceScoring scoring_;
  Vocabulary& words_;
};

}  // namespace berth::scheduler
