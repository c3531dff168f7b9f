// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/coordination.h"
#include "api/node.h"

namespace berth::simulation {

// The architecture of every node.
inline constexpr const char* kNodeArchitecture = "amd64";

// NodeDescription describes a simulated machine.
struct NodeDescription {
  std::string name;
  api::ResourceList allocatable;  // "pods" defaults to 110
  api::StringMap labels;          // in addition to hostname, os and arch, which every node has
  std::vector<api::Taint> taints;
  std::vector<api::ContainerImage> images;
};

// Returns the Node that its kubelet registers.
api::Node NodeObjectOf(const NodeDescription& description, Time now);

// Returns the strategic merge patch of a kubelet's report: capacity, images, address and the
// conditions of a healthy node with heartbeat `now`.
std::string NodeStatusPatch(const NodeDescription& description, const std::string& address,
                            Time registered, Time now);

// Returns the node's heartbeat Lease in kube-node-lease; its owner is the Node.
api::Lease LeaseOf(const std::string& node, const std::string& node_uid, Time now);

}  // namespace berth::simulation
