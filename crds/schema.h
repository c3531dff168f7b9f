// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/apiextensions.h"
#include "base/json/type.h"

namespace berth::crds {

// SchemaOf turns a description into the structural schema of a CustomResourceDefinition: types,
// documentation, defaults, bounds (crds/bounds.h), list types, CEL rules. `options` are those of
// the field that has this type. Keys of lists of named things are required there. Requires: the
// type does not contain itself.
api::JsonSchemaProps SchemaOf(const json::Type& type, const json::FieldOptions& options = {});

// RootSchemaOf is the schema of a whole object: apiVersion, kind and metadata belong to the API
// server, which adds theirs.
api::JsonSchemaProps RootSchemaOf(const json::Type& type);

}  // namespace berth::crds
