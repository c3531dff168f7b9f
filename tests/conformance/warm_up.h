// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "api/pod.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// Fills the cluster's result cache with results that are valid for `pod`, and many that are not.
// Before `pod` it schedules unrelated pods and variants of `pod`. Meanwhile nodes are relabelled,
// tainted, resized and get images, pods are added to nodes and removed, and pods are nominated.
// Then all changes are reverted. Equal seeds give equal runs.
//
// Nodes are changed in place, so afterwards the cluster looks as before: the same objects, the same
// order of nodes and of pods on a node, the same start index. Only the epochs and the cached
// results differ.
void WarmUp(Cluster& cluster, const api::Pod& pod, uint64_t seed);

}  // namespace berth::conformance
