// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodePreferAvoidPods keeps pods away, where others fit, from nodes that ask so: a node's annotation
// scheduler.alpha.kubernetes.io/preferAvoidPods lists ReplicationControllers and ReplicaSets, by kind
// and UID, whose pods score 0 there. All other pods and nodes score 100, and so does a node whose
// annotation cannot be read. A Policy gives it a weight of 10,000 unless it says otherwise, which is
// more than all else together. Source: kube-scheduler at v1.20,
// pkg/scheduler/framework/plugins/nodepreferavoidpods/node_prefer_avoid_pods.go; k8s.io/api at v0.20,
// core/v1/types.go, AvoidPods.
class NodePreferAvoidPods final : public ScorePlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
};

}  // namespace berth::scheduler
