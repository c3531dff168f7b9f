// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_name_length.h"

#include <algorithm>

namespace berth::scheduler {

std::vector<api::FieldError> NodeNameLengthArgs::Validate() const {
  if (base >= 1) return {};
  return {api::FieldError::Invalid("base", base, "must be at least 1")};
}

PluginDescriptor NodeNameLength::Descriptor() {
  return Describe<NodeNameLength>({
      .name = "NodeNameLength",
      .summary = "Prefers nodes with short names.",
      .depends_on = {Epoch::kNodeObject},
      .example = R"(plugins:
  score:
    enabled: [{name: NodeNameLength, weight: 2}]
pluginConfig:
- name: NodeNameLength
  args:
    base: 40)",
  });
}

int64_t NodeNameLength::Score(const CycleContext&, const NodeView& node) const {
  const auto length = static_cast<int64_t>(node.name().size());
  return kMaxNodeScore * std::max<int64_t>(0, base_ - length) / base_;
}

}  // namespace berth::scheduler
