// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "controllers/observed.h"
#include "controllers/plan.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// ObjectUids are the uids of a profile's objects. Other clients can copy labels, annotations and
// managedFields of a rendered object, but they cannot choose a uid.
using ObjectUids = std::map<ObjectKey, std::string>;

// Returns the uids that the operator has recorded in the profile's status. Only the operator may
// write it.
ObjectUids RecordedUids(const crds::SchedulerProfile& profile);

// Returns the record for the status.
std::vector<crds::ObjectRecord> RecordOf(const ObjectUids& uids);

// Returns the planned objects of the scheduler that an earlier profile of this name left behind
// (kubectl delete --cascade=orphan), which this profile may manage. They count only if the
// scheduler's account still has the permissions of an orphaned ClusterRoleBinding. Only a
// cluster admin can create one.
ObjectUids OrphanedUids(const Plan& plan, const Observed& observed);

}  // namespace berth::controllers
