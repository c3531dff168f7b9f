// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/volume.h"
#include "crds/scheduler_profile.h"

// The Secrets that a profile names for its scheduler. They are mounted into its pods beside the
// configuration, read-only, a folder each; nobody reads them through the API.
namespace berth::controllers {

// SecretProjections is what they add to the volume of the configuration. A Secret that is not there,
// or lacks a key, keeps no pod from starting: the scheduler says which file it misses.
std::vector<api::VolumeProjection> SecretProjections(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
