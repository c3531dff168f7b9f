// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"

namespace berth::apiserver {

// CheckStructural says why the openAPIV3Schema of a custom resource is not structural, in the words
// of a real API server; empty means it is. `path` is where the schema stands:
// "spec.versions[0].schema.openAPIV3Schema". Errors are sorted by their text.
// Source: apiextensions-apiserver, schema/validation.go; list topology, its
// validation/validation.go.
std::vector<api::FieldError> CheckStructural(const nlohmann::json& source, const std::string& path);

}  // namespace berth::apiserver
