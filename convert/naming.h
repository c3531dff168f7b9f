// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/finding.h"
#include "crds/scheduler_profile.h"

namespace berth::convert {

// NameProfile gives a profile its name: `wanted`, else the name that the old scheduler had, else
// `fallback`. What a profile cannot have as its name, and pods may name, becomes an alias.
void NameProfile(std::string_view wanted, std::string_view scheduler_name,
                 std::string_view fallback, const Reporter& reporter,
                 crds::SchedulerProfile& profile);

// AddAlias adds a further scheduler name that is not the profile's own and not reserved.
void AddAlias(std::string_view scheduler_name, const Reporter& reporter,
              crds::SchedulerProfile& profile);

}  // namespace berth::convert
