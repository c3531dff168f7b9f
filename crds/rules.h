// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// CheckRules holds a profile against the CEL rules of its CustomResourceDefinition: the very
// strings of the descriptions, compiled at the first call. Paths, values and messages are those
// that the API server gives for a rule that fails: list entries by their index, "<nil>" for the
// resource as a whole, and no value where it is an object or a list. Rules that name oldSelf do not
// run, as on a create; those of the resource as a whole do not run without a name, which all of
// them read. `excused` are messages of rules that are left out.
//
// Requires: `profile` went through WithDefaults; rules see the document with its defaults. Thread
// safe.
std::vector<api::FieldError> CheckRules(const SchedulerProfile& profile,
                                        std::span<const std::string_view> excused = {});

}  // namespace berth::crds
