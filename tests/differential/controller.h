// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/differential/scenario.h"

// The behavior of the volume controllers, as operations for the API server. A scenario triggers
// them; their result depends on the current objects. Each function takes lists of the current
// objects.
namespace berth::differential {

// Returns the claims for generic ephemeral volumes of pods, like the ephemeral volume controller.
std::vector<Operation> ClaimEphemeral(const Json& pods, const Json& claims);

// Returns a volume, named pvc-CLAIM, for each claim with a provisioner that needs no first consumer
// or has a selected node, like the provisioner of a CSI driver. The volume is bound to the claim
// and accessible from that node.
std::vector<Operation> Provision(const Json& claims, const Json& classes);

// Completes the binding of volumes and claims that refer to each other, like the PersistentVolume
// controller. It does not search for volumes.
std::vector<Operation> Bind(const Json& claims, const Json& volumes);

}  // namespace berth::differential
