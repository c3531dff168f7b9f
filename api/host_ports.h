// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.h"

namespace berth::api {

// HostPort is a port that a pod takes on its node. An empty address is 0.0.0.0, an empty protocol
// TCP; both are normalised here.
struct HostPort {
  std::string ip;
  std::string protocol;
  int32_t port = 0;
  // Conflicts holds when both cannot be on one node: same protocol and port, and the same address
  // or one of them 0.0.0.0.
  bool Conflicts(const HostPort& other) const;
  bool operator==(const HostPort&) const = default;
};

// HostPortsOf lists the host ports of containers and sidecars; plain init containers are gone when
// the pod runs.
std::vector<HostPort> HostPortsOf(const Pod& pod);

}  // namespace berth::api
