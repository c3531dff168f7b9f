// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/field_error.h"
#include "crds/run_spec.h"

namespace berth::crds {

// Returns an error for each of spec.engine.extraArgs with which this version's scheduler would not
// start: unknown flags, values out of range, and arguments that belong to no flag. A CEL rule
// rejects the flags that the operator sets. Other engines and images may have other flags, so their
// arguments are not checked.
std::vector<api::FieldError> CheckExtraArgs(const EngineSpec& engine);

}  // namespace berth::crds
