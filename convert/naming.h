// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/finding.h"
#include "crds/scheduler_profile.h"

namespace berth::convert {

// Returns the profile's name: `wanted`, else the old scheduler's name, else `fallback`.
std::string ProfileNameOf(std::string_view wanted, std::string_view scheduler_name,
                          std::string_view fallback);

// Sets the profile's name. A scheduler name that is not valid as a profile name, but that pods may
// use, becomes an alias.
void NameProfile(std::string_view wanted, std::string_view scheduler_name,
                 std::string_view fallback, const Reporter& reporter,
                 crds::SchedulerProfile& profile);

// Adds an alias, unless it equals the profile's name or is reserved.
void AddAlias(std::string_view scheduler_name, const Reporter& reporter,
              crds::SchedulerProfile& profile);

}  // namespace berth::convert
