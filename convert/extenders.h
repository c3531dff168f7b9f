// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/container.h"
#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// AddExtenders puts the extenders of a source into the draft. Errors (kConfig): a timeout that is
// none.
Result<void> AddExtenders(const std::vector<api::LegacyExtender>& extenders,
                          const Reporter& reporter, Draft& draft);

// IsBeside says that an extender is asked at the scheduler's own address: it runs in the same pod, or
// on the same machine.
bool IsBeside(const crds::Extender& extender);

// RunBeside says what has to run beside the scheduler for an extender that IsBeside: `container` is
// the one of the source's pod that probably answers there, nullptr if there is none. The one place
// that knows that profiles have no sidecars.
void RunBeside(const crds::Extender& extender, const api::Container* container,
               const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
