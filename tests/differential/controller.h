// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/differential/scenario.h"

// What the controllers of volumes do, said as operations that are to be asked of the API server. A
// scenario says when; what is there decides what. Each takes lists of objects as they are now.
namespace berth::differential {

// ClaimEphemeral makes the claims of the pods' generic ephemeral volumes, as the ephemeral volume
// controller does.
std::vector<Operation> ClaimEphemeral(const Json& pods, const Json& claims);

// Provision makes a volume for each claim whose class has a provisioner, and which waits for no pod
// or has a node selected, as a CSI driver's provisioner does: for that claim, in the reach of that
// node. It is called pvc-CLAIM.
std::vector<Operation> Provision(const Json& claims, const Json& classes);

// Bind completes what volumes and claims say of each other, as the PersistentVolume controller
// does. It looks for no volumes.
std::vector<Operation> Bind(const Json& claims, const Json& volumes);

}  // namespace berth::differential
