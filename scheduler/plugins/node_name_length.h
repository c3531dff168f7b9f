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
                            .Doc("The length of a name from which on a node's score is 0."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodeNameLength prefers nodes with short names: the score is 100 * max(0, base - length) / base,
// in integers, the division truncated; `length` is that of the node's name in characters. With the
// base of 20, a name of 4 scores 80, one of 13 scores 35, one of 20 or more 0.
class NodeNameLength final : public ScorePlugin {
 public:
  using Args = NodeNameLengthArgs;

  // Requires: args.Validate() found nothing.
  explicit NodeNameLength(const Args& args) : base_(args.base) {}
  static PluginDescriptor Descriptor();

  // KeyOf is the same for all pods: nothing of them is read.
  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;

 private:
  int64_t base_;
};

}  // namespace berth::scheduler
