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

// Reports whether the Deployment still replaces pods and has not passed its progress deadline.
bool IsRollingOut(const api::Deployment& deployment);

// Returns all conditions in a fixed order: Paused and Suspended while true; Ready; Valid, Available
// and ConfigApplied always; Stalled or Reconciling while true. `kubectl get` prints the reason of
// the first one (crds/manifest.cc). Each carries the generation. The transition time is kept while
// the condition's status stays the same.
//
// A suspended profile has no condition Ready. It is in its desired state, which kstatus calls
// Current, but no scheduler is ready to place pods.
//
// A paused profile has no Reconciling and no Stalled, and Ready only while it is True. The operator
// does not work on it, as requested, which kstatus calls Current.
//
// `failures` are the errors from applying the plan.
std::vector<api::Condition> MakeConditions(const Plan& plan, const Observed& observed,
                                           const std::vector<ReconcileError>& failures, Time now);

}  // namespace berth::controllers
