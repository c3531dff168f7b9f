// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/pod.h"

namespace berth::simulation {

// RequestsOf is what a node sets aside for a pod: the larger of what its containers need together
// and what its init containers need on the way, sidecars counted in both, plus overhead; what the
// pod asks for as a whole stands in place of the sum. Source: component-helpers' PodRequests.
api::ResourceList RequestsOf(const api::Pod& pod);

// Amount counts a resource as the kubelet's messages do: CPU in thousandths, all else in units.
int64_t Amount(const std::string& resource, const Quantity& quantity);

}  // namespace berth::simulation
