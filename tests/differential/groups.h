// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/objects.h"

namespace berth::differential {

// CreateGroups returns the PodGroups of a scenario's short form. Fields of the metadata and `status`
// are known by name; `minCount` is of the gang, and without it the policy is basic; `topology` is
// the key of the only constraint, `disruptionMode` the word single or all. All other fields belong
// to the spec. Errors (kConfig) name the missing field.
Result<std::vector<Operation>> CreateGroups(const Json& written, const Defaults& defaults);

// Resolves the name of a group: "train" or "other/train".
ObjectName GroupNamed(const std::string& name, const Defaults& defaults);

}  // namespace berth::differential
