// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/native_pod_group.h"
#include "base/time.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/status.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {

// Returns the condition about the last attempt to place a PodGroup that its status still lacks;
// nullopt if there is none to write. Success is final: a group that was placed once keeps the
// condition, whatever becomes of later members. `now`: wall time. Source: kube-scheduler
// pkg/scheduler/schedule_one_podgroup.go, updatePodGroupCondition.
std::optional<api::Condition> ScheduledCondition(const api::NativePodGroup& group,
                                                 const Status& result, Time now);

// Writes that condition to the gang's PodGroup, if it is one of scheduling.k8s.io.
void WriteScheduledCondition(ApiPort& api, const Gang& gang, const Status& result, Time now);

}  // namespace berth::scheduler
