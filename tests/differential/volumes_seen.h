// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/differential/scenario.h"

namespace berth::differential {

// ClaimsSeen and VolumesSeen return the effects of schedulers and controllers on
// PersistentVolumeClaims and PersistentVolumes, in a form that is comparable between two clusters.
// By claim ("other/data" outside of the namespace `ns`):
//   selectedNode, volumeName    if set
//   bound                       true once the controller has completed the binding
// By volume:
//   claim                       the claim that it refers to
//   claimRef                    that reference, without values that differ between clusters
//   boundByController           the value of that annotation, if set
Json ClaimsSeen(const Json& claims, const std::string& ns);
Json VolumesSeen(const Json& volumes, const Json& claims, const std::string& ns);

// Returns the volume that refers to a claim; empty without one.
std::string VolumeFor(const Json& volumes_seen, const std::string& claim);

}  // namespace berth::differential
