// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/apiextensions.h"
#include "base/json/type.h"

namespace berth::crds {

// Converts a description to the structural schema of a CustomResourceDefinition: types,
// documentation, defaults, bounds (crds/bounds.h), list types, CEL rules. `options` are the options
// of the field with this type. Keys of lists of type map are required. Requires: the type is not
// recursive.
api::JsonSchemaProps SchemaOf(const json::Type& type, const json::FieldOptions& options = {});

// Returns the schema of a whole object. The API server itself adds the schemas of apiVersion, kind
// and metadata.
api::JsonSchemaProps RootSchemaOf(const json::Type& type);

}  // namespace berth::crds
