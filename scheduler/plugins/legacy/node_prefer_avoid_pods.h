// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodePreferAvoidPods scores 0 for nodes that ask to avoid the pod: a node's annotation
// scheduler.alpha.kubernetes.io/preferAvoidPods lists ReplicationControllers and ReplicaSets, by
// kind and UID, whose pods score 0 there. All other pods and nodes score 100, and so does a node
// with an annotation that does not parse. In a Policy its default weight is 10,000, more than all
// other scores together. Source: kube-scheduler at v1.20,
// pkg/scheduler/framework/plugins/nodepreferavoidpods/node_prefer_avoid_pods.go; k8s.io/api at
// v0.20, core/v1/types.go, AvoidPods.
class NodePreferAvoidPods final : public ScorePlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
};

}  // namespace berth::scheduler
