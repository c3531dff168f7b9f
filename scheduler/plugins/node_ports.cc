// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_ports.h"

#include <algorithm>
#include <tuple>

#include "scheduler/model/key_text.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

bool AnyConflict(const std::vector<HostPort>& wanted, const std::vector<HostPort>& freed) {
  UsedPorts used;
  used.Add(freed);
  return used.AnyConflict(wanted);
}

}  // namespace

PluginDescriptor NodePorts::Descriptor() {
  return Describe<NodePorts>({
      .name = "NodePorts",
      .summary = "Rejects nodes where a host port of the pod is already in use.",
      .depends_on = {Epoch::kNodePods},
      .events = {{Resource::kAssignedPod, action::kDelete,
                  "a pod that used one of the ports is gone"},
                 {Resource::kNode, action::kAdd, "a node with free ports appeared"}},
      .example = R"(# For a scheduler with no pods that use host ports.
plugins:
  multiPoint:
    disabled: [{name: NodePorts}])",
  });
}

ResultKey NodePorts::HintKeyOf(const PendingPod& pod) const {
  if (pod.host_ports().empty()) return ResultKey::Of("");
  std::vector<HostPort> ports = pod.host_ports();
  std::sort(ports.begin(), ports.end(), [](const HostPort& a, const HostPort& b) {
    return std::tie(a.port, a.protocol, a.ip) < std::tie(b.port, b.protocol, b.ip);
  });
  KeyText text;
  for (const HostPort& port : ports) text.Add(port.port).Add(port.protocol).Add(port.ip);
  return ResultKey::Of(text.Take());
}

PreFilterResult NodePorts::PreFilter(CycleContext& cycle) const {
  if (cycle.pod.host_ports().empty()) return PreFilterResult::Of(Status::Skip());
  return PreFilterResult::Of(Status::Success());
}

Verdict NodePorts::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't have free ports for the requested pod ports");
  if (!node.used_ports().AnyConflict(cycle.pod.host_ports())) return Verdict::Fits();
  return Verdict::Unschedulable(kReason);
}

QueueingHint NodePorts::Hint(const PendingPod& pod, const ClusterEvent& event,
                             const EventObjects& objects) const {
  if (event.resource == Resource::kNode) return QueueingHint::kQueue;
  if (!HoldsPlace(*objects.old_pod)) return QueueingHint::kSkip;
  return QueueIf(AnyConflict(pod.host_ports(), objects.old_pod->host_ports()));
}

}  // namespace berth::scheduler
