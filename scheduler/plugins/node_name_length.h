// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

struct NodeNameLengthArgs {
  int32_t base = 20;

  static auto Fields() {
    return json::Object(json::Field("base", &NodeNameLengthArgs::base)
                            .Min(1)
                            .Default("20")
                            .Doc("Name length, in characters, from which the score is 0."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodeNameLength prefers nodes with short names. The score is 100 * max(0, base - length) / base in
// integer arithmetic, where `length` is the length of the node name in characters. With the default
// base of 20, a name of 4 characters scores 80, one of 13 scores 35, one of 20 or more scores 0.
class NodeNameLength final : public ScorePlugin {
 public:
  using Args = NodeNameLengthArgs;

  // Requires: args.Validate() found nothing.
  explicit NodeNameLength(const Args& args) : base_(args.base) {}
  static PluginDescriptor Descriptor();

  // Returns the same key for all pods: the score does not depend on the pod.
  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;

 private:
  int64_t base_;
};

}  // namespace berth::scheduler
