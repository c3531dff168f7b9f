// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// ImageLocality prefers nodes that have the pod's images already. An image counts with its size,
// times the part of all nodes that have it, so that an image that is on one node alone does not
// draw all pods there. The sum of the pod's containers, init containers and image volumes is 0 up
// to 23 MiB and 100 from 1000 MiB for each container and init container; between, it is a line.
// Source: kube-scheduler pkg/scheduler/framework/plugins/imagelocality/image_locality.go.
class ImageLocality final : public ScorePlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  Versions VersionsOf(const CycleContext& cycle) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
};

}  // namespace berth::scheduler
