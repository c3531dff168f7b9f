// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/time.h"
#include "controllers/observed.h"
#include "controllers/verdict.h"

namespace berth::controllers {

// SchedulerReport is what the scheduler itself says, on its Lease.
struct SchedulerReport {
  bool heard = false;  // the Lease exists and changed within its duration
  std::string holder;
  std::string applied_hash;
  std::string config_error;
};
SchedulerReport ReportOf(const Observed& observed);

// ConditionInput is what the conditions of one profile are made from.
struct ConditionInput {
  const crds::SchedulerProfile& profile;
  const Observed& observed;
  const Verdict& verdict;
  std::string config_hash;  // of the rendered configuration; empty when none was rendered
  Time now;
};

// MakeConditions gives all conditions in a fixed order: Ready, Valid, Available, ConfigApplied
// always; Suspended, Reconciling, Stalled only while true. Each carries the generation; the time of
// a transition is kept from the profile's status as long as the condition's status stays.
std::vector<api::Condition> MakeConditions(const ConditionInput& input);

}  // namespace berth::controllers
