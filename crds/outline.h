// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "crds/scheduler_profile.h"

namespace berth::crds {

// Reads the readable parts of a stored profile that cannot be decoded: metadata, namespace, aliases
// and status, or only metadata. The rest of the spec has default values and must not be used; `why`
// is stored in `unreadable`. Errors: even the metadata cannot be read.
Result<SchedulerProfile> ReadOutline(std::string_view text, std::string why);

}  // namespace berth::crds
