// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/admission.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// ArgumentRules validates arguments of plugins at admission, from their types: unknown fields,
// values of another JSON type ("must be a list of objects"), and missing required fields, in the
// arguments and in the objects of their lists. The operator reports deeper errors, and those found
// by the plugin's own check such as an expression, in the condition Valid.
//
// The variables follow those of PluginPolicy and read its `configs`.
std::vector<api::AdmissionVariable> ArgumentVariables(const PluginCatalogueView& catalogue);
std::vector<api::Validation> ArgumentRules();

}  // namespace berth::crds
