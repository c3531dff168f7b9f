// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"
namespace berth::apiserver {

// What a CustomResourceDefinition must be. Source: apiextensions-apiserver,
// pkg/apis/apiextensions/validation. Messages name the fields of the form that is validated there:
// what all versions have in common stands at the spec ("spec.validation.openAPIV3Schema").

// CheckDefinitionSchema checks the openAPIV3Schema of a version: that it is structural and says
// nothing that is not supported, and then that its rules compile. With `has_status` it must be one
// of which the part of the status can be taken out.
void CheckDefinitionSchema(const Field& schema, bool has_status);

}  // namespace berth::apiserver
