// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.h"

namespace berth::api {

// HostPort is a port that a pod occupies on its node. Normalises an empty address to 0.0.0.0 and an
// empty protocol to TCP.
struct HostPort {
  std::string ip;
  std::string protocol;
  int32_t port = 0;
  // Reports whether two host ports cannot share a node: same protocol and port, and equal addresses
  // or one of them 0.0.0.0.
  bool Conflicts(const HostPort& other) const;
  bool operator==(const HostPort&) const = default;
};

// Returns the host ports of containers and sidecar containers. Plain init containers have exited
// when the pod runs.
std::vector<HostPort> HostPortsOf(const Pod& pod);

}  // namespace berth::api
