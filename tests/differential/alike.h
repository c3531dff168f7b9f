// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/differential/scenario.h"

namespace berth::differential {

// IsAlike reports whether a pod is one of those with this name and a number, "train-3" for "train".
bool IsAlike(const std::string& pod, const std::string& name);

// WithoutNumbers returns an observation in which the alike pods of a scenario have no numbers: all
// texts name them "train-*", and their map keys number them in the order of what was observed. So
// two observations are equal if the same number of these pods has each state. If repeats are free,
// each attempt may choose another pod, so the different events of all of them are at "train-*".
Json WithoutNumbers(Json observation, const Scenario& scenario);

}  // namespace berth::differential
