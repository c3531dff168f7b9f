// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/old_scheduler_config.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "convert/old_plugins.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// KubeSchedulersOwn are the plugins that a kube-scheduler with others of people's own has as well.
crds::PluginCatalogueView KubeSchedulersOwn(crds::PluginCatalogueView catalogue);

// ApplyProfile puts the plugins and arguments of one profile of a configuration into a draft.
// `has_defaults`: they stand upon the default profile of that version, and not upon a Policy. A
// profile with a plugin that the catalogue has not got can run on its image alone, so what else that
// has of its own stays as it is, as if the image had been chosen.
// Errors (kConfig): arguments that are no object.
Result<void> ApplyProfile(const api::OldProfile& profile, ConfigVersion version, bool has_defaults,
                          EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                          const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
