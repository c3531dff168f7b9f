// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// CheckIntOrPercent: a number that is not negative, or "25%". CheckAtMostAll: not above 100%.
// IsZeroIntOrPercent: "0%" and 0, also where there is none. Source: pkg/apis/apps/validation.
void CheckIntOrPercent(const Field& value);
void CheckAtMostAll(const Field& value);
bool IsZeroIntOrPercent(const Field& value);

}  // namespace berth::apiserver
