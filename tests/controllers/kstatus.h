// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Returns the status that GitOps tools compute for a profile: the five steps of kstatus for custom
// resources, in its order. Source: cli-utils pkg/kstatus/status/status.go, Compute.
inline std::string KstatusOf(const crds::SchedulerProfile& profile) {
  if (profile.metadata.deletion_timestamp) return "Terminating";
  if (profile.status.observed_generation != profile.metadata.generation) return "InProgress";
  for (const api::Condition& condition : profile.status.conditions) {
    if (condition.type == "Reconciling" && condition.status == "True") return "InProgress";
    if (condition.type == "Stalled" && condition.status == "True") return "Failed";
  }
  for (const api::Condition& condition : profile.status.conditions) {
    if (condition.type == "Ready") return condition.status == "True" ? "Current" : "InProgress";
  }
  return "Current";
}

}  // namespace berth::controllers
