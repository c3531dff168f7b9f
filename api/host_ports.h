// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"

namespace berth::api {

// The address of a port on all addresses of its node.
inline constexpr std::string_view kAnyAddress = "0.0.0.0";

// HostPort is a port that a pod occupies on its node. Address and protocol are never empty.
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
// when the pod runs. An empty address becomes 0.0.0.0, an empty protocol TCP.
std::vector<HostPort> HostPortsOf(const Pod& pod);

}  // namespace berth::api
