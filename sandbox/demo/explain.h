// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/error.h"

namespace berth::sandbox {

// ClusterState holds all nodes and pods at one time.
struct ClusterState {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> pods;
};

// Explains in one line why a pod is on `node`. A decision is a function of cluster, pod and
// configuration, so this repeats it with a trace. `config` is the scheduler's
// KubeSchedulerConfiguration, `before` the cluster at the pod's creation. Returns "" if the
// repetition does not give `node` the highest total: then the scheduler saw a different cluster.
// Fails if the configuration is invalid or has extenders.
Result<std::string> ExplainPlacement(const std::string& config,
                                     const std::shared_ptr<const api::Pod>& pod,
                                     const std::string& node, const ClusterState& before);

}  // namespace berth::sandbox
