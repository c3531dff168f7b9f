// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// AddExtenders puts the extenders of a source into the draft. Errors (kConfig): a timeout that is
// none.
Result<void> AddExtenders(const std::vector<api::LegacyExtender>& extenders,
                          const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
