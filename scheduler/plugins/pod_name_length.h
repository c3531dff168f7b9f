// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

struct PodNameLengthArgs {
  int32_t max_length = 5;

  static auto Fields() {
    return json::Object(json::Field("maxLength", &PodNameLengthArgs::max_length)
                            .Min(1)
                            .Default("5")
                            .Doc("Pods with a name of this many characters or more are rejected."));
  }

  std::vector<api::FieldError> Validate() const;
};

// PodNameLength admits pods with a name shorter than maxLength, to any node. The rejection names
// both lengths. It is UnschedulableAndUnresolvable: a name never changes, so neither an event nor
// preemption can help the pod.
class PodNameLength final : public FilterPlugin {
 public:
  using Args = PodNameLengthArgs;

  // Requires: args.Validate() found nothing.
  explicit PodNameLength(const Args& args) : max_length_(static_cast<size_t>(args.max_length)) {}
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;

 private:
  Verdict VerdictOf(const CycleContext& cycle) const;

  size_t max_length_;
};

}  // namespace berth::scheduler
