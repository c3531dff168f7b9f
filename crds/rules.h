// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// Evaluates the CEL rules of the CustomResourceDefinition on a profile: the strings of the
// descriptions, compiled at the first call. Messages equal those of the API server for a failed
// rule. Paths and values are more precise: the API server names the object or list with the rule
// ("<nil>" for the resource as a whole), these errors the fields and entries that break it
// (crds/rule_place.h). Rules that use oldSelf are skipped, as on a create. Rules of the resource as
// a whole are skipped without a name, because all of them read it. `excused` lists messages of
// rules to skip.
//
// Requires: `profile` went through WithDefaults, because rules see the defaults. Thread safe.
std::vector<api::FieldError> CheckRules(const SchedulerProfile& profile,
                                        std::span<const std::string_view> excused = {});

}  // namespace berth::crds
