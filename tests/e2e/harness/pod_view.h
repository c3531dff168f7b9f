// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// PodsOf gives the pods of a selector, without those that are being deleted.
std::vector<Json> PodsOf(RealCluster& cluster, const std::string& ns, const std::string& selector);

// LookInside runs a script in a container of its own beside one that runs, as `kubectl debug` does: it
// sees the same processes and the same network, and the files of the first under /proc/1/root. Gives
// what it printed. Requires: an image of tools was given.
std::string LookInside(RealCluster& cluster, const std::string& ns, const std::string& pod,
                       const std::string& container, const std::string& script);

// Connections are what a pod's sockets say: the text of /proc/net/tcp and tcp6.
struct Connections {
  std::set<int> reached;    // ports of others, of connections it opened
  std::set<int> listening;  // its own
};
Connections ReadConnections(const std::string& proc_net_tcp);

// Usage is what the kubelet measured of one container.
struct Usage {
  Time when;                 // by the kubelet's clock
  int64_t memory_bytes = 0;  // working set: what counts against the limit
  double cpu_seconds = 0;    // since it began
};

// NextUsage waits for a measurement that the kubelet makes after this call: all that the container
// used before is in it. The kubelet makes one about every ten seconds.
Usage NextUsage(RealCluster& cluster, const Json& pod, const std::string& container);

}  // namespace berth::e2e
