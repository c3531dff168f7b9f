// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/old_scheduler_config.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "convert/old_plugins.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// Returns kube-scheduler's plugins, which a custom kube-scheduler image also has.
crds::PluginCatalogueView KubeSchedulersOwn(crds::PluginCatalogueView catalogue);

// Defaults are the plugins that a profile extends: those of a Policy, the default profile of its
// version, or ClusterAutoscalerProvider, which has MostAllocated instead of LeastAllocated.
inline constexpr std::string_view kAutoscalerProvider = "ClusterAutoscalerProvider";
inline constexpr std::string_view kWhyAutoscaler =
    "the provider had MostRequestedPriority instead of LeastRequestedPriority, and the default "
    "plugins of its version";
enum class Defaults { kNone, kProfile, kAutoscaler };

// Adds the plugins and arguments of one profile of a configuration to a draft. A profile with a
// plugin that is not in the catalogue only runs on its own image. Its other custom plugins are then
// kept unchanged, as if the image was chosen. Errors (kConfig): arguments that are not an object.
Result<void> ApplyProfile(const api::OldProfile& profile, ConfigVersion version, Defaults defaults,
                          EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                          const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
