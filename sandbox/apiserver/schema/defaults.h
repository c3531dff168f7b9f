// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Sets the defaults of the schema: for absent fields, inside default values, in existing items of
// lists and entries of maps. A null counts as absent if the schema does not allow it: it is
// replaced by the default or removed. For a built-in kind this also writes Go's empty values (empty
// structs, `rules: null`). Defaults that upstream computes in code belong to the kinds
// (sandbox/apiserver/kinds). Source: apiextensions-apiserver defaulting.
void Default(const Schema& schema, nlohmann::json* document);

// Returns the zero value of a built-in type: the fields that Go always writes. {} for a custom
// resource.
nlohmann::json EmptyObject(const Schema& schema);

}  // namespace berth::apiserver
