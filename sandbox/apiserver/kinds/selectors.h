// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "api/labels.h"
#include "base/error.h"

namespace berth::apiserver {

// CompileSelector makes a metav1.LabelSelector of a document ready for asking. The error has
// upstream's text.
Result<api::Selector> CompileSelector(const nlohmann::json& selector);

// LabelsOf reads a map of labels; null and other types give none.
api::StringMap LabelsOf(const nlohmann::json* labels);

}  // namespace berth::apiserver
