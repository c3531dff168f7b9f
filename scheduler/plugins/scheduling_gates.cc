// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/scheduling_gates.h"

namespace berth::scheduler {

PluginDescriptor SchedulingGates::Descriptor() {
  return Describe<SchedulingGates>({
      .name = "SchedulingGates",
      .summary = "Keeps a pod out of the queue until all its scheduling gates are removed.",
      .events = {{Resource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated,
                  "the last gate of the pod was removed"}},
      .example = R"(# A profile that lists all its plugins.
plugins:
  multiPoint:
    disabled: [{name: "*"}]
    enabled: [{name: SchedulingGates}, {name: PrioritySort}, {name: NodeResourcesFit}, {name: DefaultBinder}])",
  });
}

Status SchedulingGates::PreEnqueue(const PendingPod& pod, const EnqueueContext&) const {
  const auto& gates = pod.pod().spec.scheduling_gates;
  if (gates.empty()) return Status::Success();
  std::string names;
  for (const api::PodSchedulingGate& gate : gates) {
    if (!names.empty()) names += ' ';
    names += gate.name;
  }
  return Status::UnschedulableAndUnresolvable("waiting for scheduling gates: [" + names + "]");
}

}  // namespace berth::scheduler
