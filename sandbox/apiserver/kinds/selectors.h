// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "api/labels.h"
#include "base/error.h"

namespace berth::apiserver {

// Compiles a metav1.LabelSelector of a document. The error has upstream's text.
Result<api::Selector> CompileSelector(const nlohmann::json& selector);

// Parses a map of labels; null and other types yield an empty map.
api::StringMap LabelsOf(const nlohmann::json* labels);

}  // namespace berth::apiserver
