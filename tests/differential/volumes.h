// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/objects.h"

namespace berth::differential {

// CreateVolumes and CreateClaims give the PersistentVolumes and PersistentVolumeClaims that a
// scenario's short form stands for: fields of metadata, `class`, `size` (1Gi) and `status` by their
// names, everything else is of the spec, where one writer at a time is asked for unless it says so.
//   of a volume: `claim` that it is kept for; `node` that alone has it; `source`, a directory unless
//                given. It is Available.
//   of a claim:  `volume` that it is bound to, as the PersistentVolume controller writes it.
// Errors (kConfig) say what is missing.
Result<std::vector<Operation>> CreateVolumes(const Json& written, const Defaults& defaults);
Result<std::vector<Operation>> CreateClaims(const Json& written, const Defaults& defaults);

// VolumeNamed and ClaimNamed find what a scenario calls "small" and "data" or "other/data".
ObjectName VolumeNamed(const std::string& name);
ObjectName ClaimNamed(const std::string& name, const Defaults& defaults);

}  // namespace berth::differential
