// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sandbox/simulation/kubelet/simulated_node.h"

namespace berth::sandbox {

inline constexpr const char* kDedicatedLabel = "demo.berth.dev/dedicated";

// NodesOf is a cluster of `count` nodes (at least three): small, medium and large ones over three
// zones, and one with GPUs that a taint keeps to itself.
std::vector<simulation::NodeDescription> NodesOf(int count);

// NodeLine describes a node in one line.
std::string NodeLine(const simulation::NodeDescription& node);

// ArrivingPods gives the JSON of `count` pods of different sizes that name the schedulers in turn.
std::vector<std::string> ArrivingPods(int count, const std::vector<std::string>& schedulers);

// GpuPod is the JSON of a pod that wants the dedicated node and does not tolerate its taint.
std::string GpuPod(const std::string& name, const std::string& scheduler);

}  // namespace berth::sandbox
