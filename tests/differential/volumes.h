// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/objects.h"

namespace berth::differential {

// CreateVolumes and CreateClaims return the PersistentVolumes and PersistentVolumeClaims of a
// scenario's short form. Fields of the metadata, `class`, `size` (1Gi) and `status` are known by
// name; all other fields belong to the spec. The default access mode is ReadWriteOnce.
//   volume: `claim` for claimRef; `node`, the only node with access; `source`, by default a
//           directory. It is Available.
//   claim:  `volume` that it is bound to, as the PersistentVolume controller writes it.
// Errors (kConfig) name the missing field.
Result<std::vector<Operation>> CreateVolumes(const Json& written, const Defaults& defaults);
Result<std::vector<Operation>> CreateClaims(const Json& written, const Defaults& defaults);

// VolumeNamed and ClaimNamed resolve scenario names: "small", and "data" or "other/data".
ObjectName VolumeNamed(const std::string& name);
ObjectName ClaimNamed(const std::string& name, const Defaults& defaults);

}  // namespace berth::differential
