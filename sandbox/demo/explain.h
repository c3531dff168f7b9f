// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/error.h"

namespace berth::sandbox {

// ClusterState is the nodes and the assigned pods that a decision was made on.
struct ClusterState {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> pods;
};

// ExplainPlacement says in one line why a pod is on `node`: a decision is a function of cluster,
// pod and configuration, so it is made again here, with a trace. `config` is the scheduler's
// KubeSchedulerConfiguration, `before` the cluster as it was when the pod came. Gives "" where the
// repetition does not lead to that node: then `before` is not what the scheduler saw. Errors: the
// configuration is refused.
Result<std::string> ExplainPlacement(const std::string& config,
                                     const std::shared_ptr<const api::Pod>& pod,
                                     const std::string& node, const ClusterState& before);

}  // namespace berth::sandbox
