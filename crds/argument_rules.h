// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/admission.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// ArgumentRules is what an API server can say at apply of the arguments of plugins, found from their
// types: unknown fields, values of another kind ("must be a list of objects"), and what is required
// and missing, in the arguments themselves and in the objects of their lists. What is further in, or
// needs the plugin's own check, such as an expression, the operator says in the condition Valid.
//
// The variables come behind those of PluginPolicy and read its `configs`.
std::vector<api::AdmissionVariable> ArgumentVariables(const PluginCatalogueView& catalogue);
std::vector<api::Validation> ArgumentRules();

}  // namespace berth::crds
