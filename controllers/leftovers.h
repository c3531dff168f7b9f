// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "controllers/any_object.h"
#include "controllers/name_ownership.h"

namespace berth::controllers {

// On each ClusterRoleBinding: the scheduler names that the profile's scheduler may serve, separated
// by commas. It outlives the profile, and only cluster admins may change it.
inline constexpr std::string_view kSchedulerNamesAnnotation = "berth.dev/scheduler-names";

// Leftover is the scheduler that a deleted profile left in the cluster. It may still bind pods.
struct Leftover {
  std::vector<std::string> names;  // that it may serve; at least the profile's own
  api::ObjectReference object;     // one of its objects, the Deployment if it was found
  bool is_orphaned = false;        // an object has no owner, so it is not garbage-collected
};

using Leftovers = std::map<std::string, Leftover>;  // by profile

// Returns the leftovers of profiles that do not exist. `objects` are ClusterRoleBindings and
// Deployments that the operator rendered; their names have the profile. A scheduler without any of
// them cannot bind a pod and has no pods.
Leftovers FindLeftovers(const std::vector<AnyObject>& objects, const Profiles& profiles);

// Returns the commands for an admin who finds an orphaned scheduler.
std::string OrphanAdvice(const std::string& profile);

// Adds the leftovers to the table. Of a profile that was planned before, the table's names stay.
void AddLeftovers(const Leftovers& leftovers, NameTable& table);

}  // namespace berth::controllers
