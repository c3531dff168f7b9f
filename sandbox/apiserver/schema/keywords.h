// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"

namespace berth::apiserver {

// CheckKeywords finds what a structural schema (CheckStructural) may still not say: keywords that
// are not supported, lists and maps that contradict themselves, the form of
// x-kubernetes-validations (whether the rules compile is not asked here). `path` is where the
// schema stands. Source: apiextensions-apiserver, ValidateCustomResourceDefinitionOpenAPISchema.
std::vector<api::FieldError> CheckKeywords(const nlohmann::json& source, const std::string& path);

}  // namespace berth::apiserver
