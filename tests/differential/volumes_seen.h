// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/differential/scenario.h"

namespace berth::differential {

// ClaimsSeen and VolumesSeen give what schedulers and controllers leave on PersistentVolumeClaims
// and PersistentVolumes, in a form in which two clusters can be compared. By claim ("other/data" out
// of the namespace `ns`):
//   selectedNode, volumeName    where there is one
//   bound                       true, where the controller is done with it
// By volume:
//   claim                       that it is for
//   claimRef                    that reference, without what differs from cluster to cluster
//   boundByController           what that annotation says, where it is there
Json ClaimsSeen(const Json& claims, const std::string& ns);
Json VolumesSeen(const Json& volumes, const Json& claims, const std::string& ns);

// VolumeFor gives the volume that is seen to be for a claim; empty when there is none.
std::string VolumeFor(const Json& volumes_seen, const std::string& claim);

}  // namespace berth::differential
