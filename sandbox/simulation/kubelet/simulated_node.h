// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/coordination.h"
#include "api/node.h"

namespace berth::simulation {

// What every node says it is.
inline constexpr const char* kNodeArchitecture = "amd64";

// NodeDescription is a machine that does not exist.
struct NodeDescription {
  std::string name;
  api::ResourceList allocatable;  // "pods" is 110 unless given
  api::StringMap labels;          // beside hostname, os and arch, which every node has
  std::vector<api::Taint> taints;
  std::vector<api::ContainerImage> images;
};

// NodeObjectOf is the Node that its kubelet registers.
api::Node NodeObjectOf(const NodeDescription& description, Time now);

// NodeStatusPatch is the strategic merge patch of what a kubelet reports: capacity, images, address
// and the conditions of a healthy node, heard of `now`.
std::string NodeStatusPatch(const NodeDescription& description, const std::string& address,
                            Time registered, Time now);

// LeaseOf is the node's sign of life in kube-node-lease; it belongs to the Node.
api::Lease LeaseOf(const std::string& node, const std::string& node_uid, Time now);

}  // namespace berth::simulation
