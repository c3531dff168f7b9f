// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/time.h"
#include "controllers/observed.h"
#include "controllers/plan.h"
#include "crds/scheduler_profile_status.h"

namespace berth::controllers {

// ProfileReport is the status and the events after a plan was applied.
struct ProfileReport {
  crds::SchedulerProfileStatus status;
  std::vector<PlannedEvent> events;  // for changes in `status`
  // When to requeue without a change: a missing heartbeat causes no event.
  std::optional<std::chrono::nanoseconds> requeue_after;
};

// Makes the report of a plan. `failures` are the errors of applying it, none for a plan that was
// not applied. Pure.
ProfileReport ReportOn(const Plan& plan, const Observed& observed,
                       const std::vector<ReconcileError>& failures, Time now);

}  // namespace berth::controllers
