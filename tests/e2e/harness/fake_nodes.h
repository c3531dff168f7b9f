// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/simulation/kubelet/node_fleet.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// FakeNodes are Nodes "fake-1" to "fake-N" that are kept alive, with room for 110 pods each and no
// machine behind them. Only pods that tolerate the taint `berth.dev/fake` are placed there.
class FakeNodes {
 public:
  FakeNodes(RealCluster& cluster, int count);
  // Removes the nodes; pods on them should be gone.
  ~FakeNodes();

  // OnlyThere adds to a pod's spec that it goes to these nodes and no other.
  static Json OnlyThere();

 private:
  RealCluster& cluster_;
  const int count_;
  const SystemClock clock_;
  const std::unique_ptr<client::Client> client_;
  simulation::NodeFleet fleet_;
};

}  // namespace berth::e2e
