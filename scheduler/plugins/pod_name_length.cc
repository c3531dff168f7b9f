// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/pod_name_length.h"

#include <algorithm>

#include "scheduler/model/key_text.h"

namespace berth::scheduler {

std::vector<api::FieldError> PodNameLengthArgs::Validate() const {
  if (max_length >= 1) return {};
  return {api::FieldError::Invalid("maxLength", max_length, "must be at least 1")};
}

PluginDescriptor PodNameLength::Descriptor() {
  return Describe<PodNameLength>({
      .name = "PodNameLength",
      .summary = "Admits only pods with a name shorter than a limit.",
      .depends_on = {Epoch::kNodeObject},
      .no_event_helps = true,
      .example = R"(plugins:
  filter:
    enabled: [{name: PodNameLength}]
pluginConfig:
- name: PodNameLength
  args:
    maxLength: 20)",
  });
}

ResultKey PodNameLength::KeyOf(const CycleContext& cycle) const {
  const size_t length = cycle.pod.name().size();
  // All names that pass share one key.
  return ResultKey::Of(length < max_length_ ? ""
                                            : KeyText().Add(static_cast<int64_t>(length)).Take());
}

Verdict PodNameLength::VerdictOf(const CycleContext& cycle) const {
  const size_t length = cycle.pod.name().size();
  if (length < max_length_) return Verdict::Fits();
  return Verdict::UnschedulableAndUnresolvable(cycle.state.reasons().AddRecurring(
      "the pod's name has " + std::to_string(length) + " characters, it must have fewer than " +
      std::to_string(max_length_)));
}

Verdict PodNameLength::Filter(const CycleContext& cycle, const NodeView&) const {
  return VerdictOf(cycle);
}

void PodNameLength::FilterBatch(const CycleContext& cycle, std::span<const Slot>,
                                std::span<Verdict> out) const {
  std::fill(out.begin(), out.end(), VerdictOf(cycle));
}

}  // namespace berth::scheduler
