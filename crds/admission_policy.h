// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/admission.h"
#include "crds/plugin_catalogue.h"

namespace berth::crds {

// PluginPolicy validates plugins at admission, because the cost limit of the CRD's rules leaves no
// room for messages with names in them. For profiles with this version's core it rejects unknown
// plugin names (with the nearest name), plugins at points they do not implement, plugins that are
// not served, and invalid arguments (argument_rules.h). ValidatePlugins performs the same checks
// offline.
//
// Invariant: an update that does not change the spec passes, so that a profile accepted by another
// version can still be labelled or deleted.
inline constexpr std::string_view kPluginPolicyName = "berth-profile-plugins";

api::ValidatingAdmissionPolicy PluginPolicy(const PluginCatalogueView& catalogue);
api::ValidatingAdmissionPolicyBinding PluginPolicyBinding();

}  // namespace berth::crds
