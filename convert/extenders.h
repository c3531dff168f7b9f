// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// Adds the extenders of a source to the draft. Errors (kConfig): an invalid timeout.
Result<void> AddExtenders(const std::vector<api::LegacyExtender>& extenders,
                          const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
