// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Default puts in the defaults the schema states: for absent fields, in what a default itself
// brings, in items of lists and entries of maps that are there. A null where the schema does not
// allow it counts as absent: it becomes the default or goes. For a built-in kind this also writes
// what Go writes for absent fields (empty structs, `rules: null`); the defaults that Kubernetes
// computes in code are the kinds' own (sandbox/apiserver/kinds). Source: apiextensions-apiserver
// defaulting.
void Default(const Schema& schema, nlohmann::json* document);

// EmptyObject is what a built-in type is before anything was put into it: the fields Go always
// writes. For a custom resource it is {}.
nlohmann::json EmptyObject(const Schema& schema);

}  // namespace berth::apiserver
