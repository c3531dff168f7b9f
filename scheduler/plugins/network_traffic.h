// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/node_metric.h"
#include "scheduler/plugins/network_traffic_args.h"

namespace berth::scheduler {

// NetworkTraffic prefers nodes whose network is idle. The traffic of all nodes comes from a
// Prometheus, asked once in a while and never in an attempt; of the nodes that fit, the one with the
// highest traffic scores 0, one without any 100, the others between, in a line. Where no node has
// traffic, all score 100.
//
// A node of which nothing is known counts as onMissing says. While nothing is known of any, all
// score the same: a Prometheus that does not answer takes the plugin's say, and no more. Figures
// that differ by less than half a point from those that count change nothing
// (scheduler/framework/node_metric.h).
class NetworkTraffic final : public PreScorePlugin, public ScorePlugin {
 public:
  using Args = NetworkTrafficArgs;

  // Without a MetricPort in the handle nothing is known of any node. Requires: args.Validate() found
  // nothing.
  NetworkTraffic(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  // KeyOf is the same for all pods: nothing of them is read.
  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  Versions VersionsOf(const CycleContext&) const override { return {traffic_->revision()}; }
  // PreScore says Skip where onMissing does, and one of the nodes has no figure.
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  Normalizer normalizer() const override { return Normalizer::kDefaultReversed; }

 private:
  const bool needs_all_;
  const std::shared_ptr<const NodeMetric> traffic_;
};

}  // namespace berth::scheduler
