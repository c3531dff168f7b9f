// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/scenario.h"

namespace berth::differential {

// IsAlike reports whether a pod is one of those with this name and a number, "train-3" for "train".
bool IsAlike(const std::string& pod, const std::string& name);

// WithoutNumbers returns an observation in which pods that are alike have no numbers: all texts
// name them "train-*", and their map keys number them in the order of what was observed. So two
// observations are equal if the same number of these pods has each state.
Json WithoutNumbers(Json observation, const std::vector<std::string>& alike);

}  // namespace berth::differential
