// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/pod.h"

namespace berth::simulation {

// Returns the resources that a node reserves for a pod: the larger of the sum of its containers and
// the maximum of its init containers, with sidecars in both, plus overhead. Pod-level requests
// replace the sum. Source: component-helpers' PodRequests.
api::ResourceList RequestsOf(const api::Pod& pod);

// Returns a quantity in the units of the kubelet's messages: CPU in millicores, all other resources
// in units.
int64_t Amount(const std::string& resource, const Quantity& quantity);

}  // namespace berth::simulation
