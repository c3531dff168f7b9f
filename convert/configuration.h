// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "api/old_scheduler_config.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "convert/old_plugins.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// DraftsOf gives a draft for each profile of a configuration, of whatever version; v1alpha1 is one
// profile. The Policy that a v1alpha1 configuration may name is left to the caller. Errors (kConfig):
// arguments that are no object, a timeout that is none.
//
// Plugins that this version does not know are people's own: they are kept, and said.
Result<std::vector<Draft>> DraftsOf(const api::OldSchedulerConfiguration& config,
                                    ConfigVersion version, EngineChoice choice,
                                    const crds::PluginCatalogueView& catalogue,
                                    const Reporter& reporter);

}  // namespace berth::convert
