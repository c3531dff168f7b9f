// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/container.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// AddSidecars puts what has to run beside the scheduler into a draft: a sidecar for each port of
// the own host at which its extenders are asked. `beside` are the other containers of the source's
// pod, of which it gives those that became sidecars. Where none is left for a port the sidecar has
// no image, which a comment and a finding ask for, and without which the profile is not valid.
std::vector<const api::Container*> AddSidecars(std::vector<const api::Container*> beside,
                                               const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
