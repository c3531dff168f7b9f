// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/volume.h"
#include "crds/scheduler_profile.h"

// The Secrets that a profile names for its scheduler. They are mounted into its pods beside the
// configuration, read-only, a folder each; nobody reads them through the API.
namespace berth::controllers {

// MountedSecretsOf gives their names, each once, sorted.
std::vector<std::string> MountedSecretsOf(const crds::SchedulerProfile& profile);

// FileOfSecret is where the scheduler finds what a Secret has under a key.
std::string FileOfSecret(std::string_view secret, std::string_view key);

// SecretProjections is what they add to the volume of the configuration. A Secret that is not there,
// or lacks a key, keeps no pod from starting: the scheduler says which file it misses.
std::vector<api::VolumeProjection> SecretProjections(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
