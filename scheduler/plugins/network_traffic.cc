// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/network_traffic.h"

#include <algorithm>

#include "scheduler/plugins/traffic_query.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kName = "NetworkTraffic";

std::shared_ptr<const NodeMetric> TrafficFor(const NetworkTrafficArgs& args,
                                             const PluginHandle& handle) {
  const bool keeps_last = args.on_missing == "last";
  if (handle.metrics == nullptr) return std::make_shared<const NodeMetric>(keeps_last);
  return handle.metrics->Watch({.plugin = std::string(kName),
                                .url = args.Url(),
                                .secret_name = args.secret_name,
                                .query = TrafficQuery(args),
                                .label = args.node_label,
                                .refresh_interval = args.refresh_interval,
                                .timeout = args.timeout,
                                .max_age = args.max_age,
                                .keeps_last = keeps_last});
}

}  // namespace

PluginDescriptor NetworkTraffic::Descriptor() {
  return Describe<NetworkTraffic>({
      .name = kName,
      .summary = "Prefers nodes with little network traffic, as measured by Prometheus.",
      .depends_on = {Epoch::kNodeObject},
      .example =
          R"(# Prefers the node with the least traffic on eth0 in the last five minutes.
plugins:
  score:
    enabled: [{name: NetworkTraffic, weight: 5}]
pluginConfig:
- name: NetworkTraffic
  args:
    address: http://prometheus.berth-system.svc:9090
    deviceName: eth0
    timeRange: 5m
    nodeLabel: nodename)",
  });
}

NetworkTraffic::NetworkTraffic(const Args& args, const PluginHandle& handle)
    : needs_all_(args.on_missing == "skip"), traffic_(TrafficFor(args, handle)) {}

Status NetworkTraffic::PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const {
  if (!needs_all_ || traffic_->IsComplete(cycle.snapshot)) return Status::Success();
  const bool is_known = std::ranges::all_of(feasible.slots(), [&](Slot slot) {
    return traffic_->Find(cycle.snapshot.At(slot).name.text()).has_value();
  });
  return is_known ? Status::Success() : Status::Skip();
}

int64_t NetworkTraffic::Score(const CycleContext&, const NodeView& node) const {
  return traffic_->Find(node.name()).value_or(traffic_->neutral());
}

}  // namespace berth::scheduler
