// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/container.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// Adds a sidecar to the draft for each loopback port at which its extenders are called. `beside`
// are the other containers of the source's pod. Returns those that became sidecars. If no container
// is left for a port, the sidecar has no image; a comment and a finding ask for it, and the profile
// is invalid without it.
std::vector<const api::Container*> AddSidecars(std::vector<const api::Container*> beside,
                                               const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
