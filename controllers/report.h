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

// ProfileReport is what to say of a plan and of what came of it.
struct ProfileReport {
  crds::SchedulerProfileStatus status;
  std::vector<PlannedEvent> events;  // of what has changed in `status`
  // When to look again although nothing changed: a scheduler that falls silent makes no event.
  std::optional<std::chrono::nanoseconds> requeue_after;
};

// ReportOn says how things stand: `problems` are what applying the plan met, none for a plan that
// was not applied. Pure.
ProfileReport ReportOn(const Plan& plan, const Observed& observed,
                       const std::vector<ReconcileError>& failures, Time now);

}  // namespace berth::controllers
