// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sandbox/simulation/kubelet/simulated_node.h"

namespace berth::sandbox {

inline constexpr const char* kDedicatedLabel = "demo.berth.dev/dedicated";

// Returns `count` nodes (at least three): small, medium and large ones in three zones, and one with
// GPUs and a taint.
std::vector<simulation::NodeDescription> NodesOf(int count);

// Describes a node in one line.
std::string NodeLine(const simulation::NodeDescription& node);

// Returns the JSON of `count` pods of different sizes, with the schedulers in turn.
std::vector<std::string> ArrivingPods(int count, const std::vector<std::string>& schedulers);

// Returns the JSON of a pod that requests GPUs and does not tolerate the GPU node's taint.
std::string GpuPod(const std::string& name, const std::string& scheduler);

}  // namespace berth::sandbox
