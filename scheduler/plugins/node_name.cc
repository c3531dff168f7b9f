// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_name.h"

namespace berth::scheduler {

PluginDescriptor NodeName::Descriptor() {
  return Describe<NodeName>({
      .name = "NodeName",
      .summary = "Admits a pod only to the node in spec.nodeName.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd, "a node with that name may have appeared"}},
      .example = R"(# Runs before all other filters.
plugins:
  filter:
    enabled: [{name: NodeName}])",
  });
}

PreFilterResult NodeName::PreFilter(CycleContext& cycle) const {
  const std::string& wanted = cycle.pod.node_name();
  if (wanted.empty()) return PreFilterResult::Of(Status::Success());
  return {Status::Success(), std::set<std::string>{wanted}};
}

Verdict NodeName::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match the requested node name");
  const std::string& wanted = cycle.pod.node_name();
  if (wanted.empty() || wanted == node.name()) return Verdict::Fits();
  return Verdict::UnschedulableAndUnresolvable(kReason);
}

}  // namespace berth::scheduler
