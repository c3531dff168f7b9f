// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// CheckIntOrPercent accepts a non-negative number or "25%". CheckAtMostAll rejects percentages
// above 100%. IsZeroIntOrPercent is true for 0, "0%" and an absent value. Source:
// pkg/apis/apps/validation.
void CheckIntOrPercent(const Field& value);
void CheckAtMostAll(const Field& value);
bool IsZeroIntOrPercent(const Field& value);

}  // namespace berth::apiserver
