// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/node_metric.h"
#include "scheduler/plugins/network_traffic_args.h"

namespace berth::scheduler {

// NetworkTraffic prefers nodes with little network traffic. The traffic of all nodes comes from a
// Prometheus server, which is queried periodically and never during a scheduling attempt. Among the
// feasible nodes, the node with the highest traffic scores 0 and a node without traffic scores 100;
// in between the score is linear. If no node has traffic, all score 100.
//
// onMissing decides the score of a node without a sample. While no node has a sample, all nodes
// score the same: if Prometheus is down, the plugin has no effect. A new sample that differs from
// the previous one by less than half a score point is ignored, so that cached results stay valid
// (scheduler/framework/node_metric.h).
class NetworkTraffic final : public PreScorePlugin, public ScorePlugin {
 public:
  using Args = NetworkTrafficArgs;

  // Without a MetricPort in the handle no node has a sample. Requires: args.Validate() found
  // nothing.
  NetworkTraffic(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  // Returns the same key for all pods: the score does not depend on the pod.
  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  Versions VersionsOf(const CycleContext&) const override { return {traffic_->revision()}; }
  // Returns Skip if onMissing is skip and a feasible node has no sample.
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  Normalizer normalizer() const override { return Normalizer::kDefaultReversed; }

 private:
  const bool needs_all_;
  const std::shared_ptr<const NodeMetric> traffic_;
};

}  // namespace berth::scheduler
