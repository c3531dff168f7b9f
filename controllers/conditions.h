// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/time.h"
#include "controllers/observed.h"
#include "controllers/plan.h"

namespace berth::controllers {

// The reason of Reconciling while pods of the scheduler are replaced.
inline constexpr std::string_view kRollingOut = "RollingOut";

// IsRollingOut says that pods of the Deployment are still to be replaced by others, and may yet be.
bool IsRollingOut(const api::Deployment& deployment);

// MakeConditions gives all conditions in a fixed order: Ready, Valid, Available, ConfigApplied
// always; Suspended, Paused, Reconciling, Stalled only while true. Each carries the generation; the time of
// a transition is kept from the profile's status as long as the condition's status stays.
//
// A profile that is Suspended has no condition Ready: it is as it was asked to be, which kstatus
// calls Current, and yet nothing is ready to place pods.
//
// A profile that is Paused has no Reconciling and no Stalled, and Ready only while it is True:
// nobody is at work on it, which is what it asks for and what kstatus calls Current.
//
// `problems` are what applying the plan met.
std::vector<api::Condition> MakeConditions(const Plan& plan, const Observed& observed,
                                           const std::vector<ReconcileError>& failures, Time now);

}  // namespace berth::controllers
