// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/admission.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// The admission policy answers at apply what the CRD's rules cannot: that cost limit leaves no room
// for messages with names in them. It says of profiles whose scheduler is this version's core which
// plugin names are unknown (with the nearest name), which stand at a point they do not implement,
// and which are not served, and what argument_rules.h says of arguments; ValidatePlugins says the same
// offline.
//
// Invariant: an update that leaves the spec alone passes, so that a profile accepted by another
// version can still be labelled or deleted.
inline constexpr std::string_view kPluginPolicyName = "berth-profile-plugins";

api::ValidatingAdmissionPolicy PluginPolicy(const PluginCatalogueView& catalogue);
api::ValidatingAdmissionPolicyBinding PluginPolicyBinding();

}  // namespace berth::crds
