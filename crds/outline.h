// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "crds/scheduler_profile.h"

namespace berth::crds {

// ReadOutline reads a stored profile, of which the whole cannot be read, as far as it goes:
// metadata, namespace, aliases and status, or metadata alone. The rest of the spec is as in a profile
// without one and says nothing; `why` stands in `unreadable`. Errors: not even the metadata can be
// read.
Result<SchedulerProfile> ReadOutline(std::string_view text, std::string why);

}  // namespace berth::crds
