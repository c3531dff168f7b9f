// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "controllers/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Effective is what a profile comes to once its plugin lists are merged with the default ones.
struct Effective {
  std::vector<crds::PluginStatus> plugins;  // in the order in which they first run
  // ClusterRoles without "berth:", or "system:" where they are a kube-scheduler's; sorted, never
  // none.
  std::vector<std::string> capabilities;
};

// EffectiveOf merges and expands as the scheduler itself does. An engine with an image of its own
// may serve plugins we do not know: then only what the profile names is listed, and as a name
// proves nothing, it gets the capabilities of the default plugins and no more. Of a kube-scheduler
// only what the profile names is listed, too; its capabilities are Kubernetes' own. Errors
// (kConfig): the plugin lists contradict themselves.
Result<Effective> EffectiveOf(const crds::SchedulerProfile& profile,
                              const PluginCatalogue& catalogue);

// PluginWarnings gives what is accepted about plugins and probably not what was meant: arguments for
// plugins that do not run, weights that drown the others, what arguments themselves warn of.
std::vector<std::string> PluginWarnings(const crds::SchedulerProfile& profile,
                                        const Effective& effective,
                                        const PluginCatalogue& catalogue);

}  // namespace berth::controllers
