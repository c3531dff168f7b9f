// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "api/pod.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// WarmUp makes the cluster's Reuse keep answers that are right for `pod`, and many that are not:
// before `pod` comes, it schedules unrelated pods and pods that are `pod` but for one thing, while
// nodes are relabelled, tainted, resized and get images, while pods come to nodes and go, and while
// pods are nominated. Then all is put back. Equal seeds do the same.
//
// Nodes are changed in place, so afterwards the cluster shows what it showed before: the same
// objects, the same order of nodes and of pods on a node, the same index to start from. Only epochs
// have moved and answers are kept.
void WarmUp(Cluster& cluster, const api::Pod& pod, uint64_t seed);

}  // namespace berth::conformance
