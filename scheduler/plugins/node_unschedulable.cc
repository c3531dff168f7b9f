// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_unschedulable.h"

#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/tolerations.h"

namespace berth::scheduler {
namespace {

bool ToleratesCordon(const api::Pod& pod) {
  static const api::Taint kCordon{.key = "node.kubernetes.io/unschedulable",
                                  .effect = "NoSchedule"};
  return Tolerates(pod.spec.tolerations, kCordon);
}

}  // namespace

PluginDescriptor NodeUnschedulable::Descriptor() {
  return Describe<NodeUnschedulable>({
      .name = "NodeUnschedulable",
      .summary = "Rejects nodes that are marked unschedulable (cordoned).",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeTaint,
                  "a node that is not cordoned appeared, or a node was uncordoned"},
                 {Resource::kTargetPod, action::kUpdatePodToleration,
                  "the pod may tolerate the cordon now"}},
      .example = R"(# Pods may also use cordoned nodes.
plugins:
  filter:
    disabled: [{name: NodeUnschedulable}])",
  });
}

ResultKey NodeUnschedulable::HintKeyOf(const PendingPod& pod) const {
  return ResultKey::Of(ToleratesCordon(pod.pod()) ? "tolerates" : "");
}

Verdict NodeUnschedulable::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kReason = VerdictReason::Intern("node(s) were unschedulable");
  if (!node.node().spec.unschedulable || ToleratesCordon(cycle.pod.pod())) return Verdict::Fits();
  return Verdict::UnschedulableAndUnresolvable(kReason);
}

QueueingHint NodeUnschedulable::Hint(const PendingPod&, const ClusterEvent& event,
                                     const EventObjects& objects) const {
  if (event.resource == Resource::kTargetPod) {
    return QueueIf(ToleratesCordon(objects.new_pod->pending()->pod()));
  }
  const bool was_open = objects.old_node != nullptr && !objects.old_node->spec.unschedulable;
  return QueueIf(!was_open && !objects.new_node->spec.unschedulable);
}

}  // namespace berth::scheduler
