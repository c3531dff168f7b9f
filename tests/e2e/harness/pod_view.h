// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// Returns the pods of a selector, without terminating ones.
std::vector<Json> PodsOf(RealCluster& cluster, const std::string& ns, const std::string& selector);

// Runs a script in an ephemeral container next to a running one, like `kubectl debug`. It sees the
// same processes and network, and the files of the other container in /proc/1/root. Returns the
// output. Requires: a tools image is set.
std::string LookInside(RealCluster& cluster, const std::string& ns, const std::string& pod,
                       const std::string& container, const std::string& script);

// Connections are a pod's sockets, from the text of /proc/net/tcp and tcp6.
struct Connections {
  std::set<int> reached;    // remote ports of connections that it opened
  std::set<int> listening;  // its own ports
};
Connections ReadConnections(const std::string& proc_net_tcp);

// Usage is a measurement of one container by the kubelet.
struct Usage {
  Time when;                 // by the kubelet's clock
  int64_t memory_bytes = 0;  // working set, which counts against the limit
  double cpu_seconds = 0;    // since its start
};

// Waits for a measurement that the kubelet takes after this call, so that it includes all earlier
// use. The kubelet takes one about every ten seconds.
Usage NextUsage(RealCluster& cluster, const Json& pod, const std::string& container);

}  // namespace berth::e2e
