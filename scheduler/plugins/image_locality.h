// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// ImageLocality prefers nodes that already have the pod's images. An image counts with its size
// times the fraction of all nodes that have it, so that an image present on a single node does not
// attract every pod to that node. The images of containers, init containers and image volumes are
// summed. The score is 0 up to 23 MiB, 100 from 1000 MiB times the number of these images, and
// linear in between. Source: kube-scheduler
// pkg/scheduler/framework/plugins/imagelocality/image_locality.go.
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
