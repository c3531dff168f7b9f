// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/simulation/kubelet/node_fleet.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// FakeNodes are Nodes "fake-1" to "fake-N" with heartbeats and room for 110 pods each, but without
// a machine. Only pods that tolerate the taint `berth.dev/fake` are placed there.
class FakeNodes {
 public:
  FakeNodes(RealCluster& cluster, int count);
  // Deletes the nodes; delete their pods before.
  ~FakeNodes();

  // Returns spec fields that restrict a pod to these nodes.
  static Json OnlyThere();

 private:
  RealCluster& cluster_;
  const int count_;
  const SystemClock clock_;
  const std::unique_ptr<client::Client> client_;
  simulation::NodeFleet fleet_;
};

}  // namespace berth::e2e
