// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/volume.h"
#include "crds/scheduler_profile.h"

// The Secrets that a profile names for its scheduler. They are mounted into its pods beside the
// configuration, read-only, one folder each. Neither the operator nor the scheduler reads them
// through the API.
namespace berth::controllers {

// Returns the projections of these Secrets for the configuration volume. A missing Secret or key
// does not prevent a pod from starting; the scheduler reports the missing file.
std::vector<api::VolumeProjection> SecretProjections(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
