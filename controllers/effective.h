// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/field_error.h"
#include "base/error.h"
#include "controllers/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Effective is the result of merging a profile's plugin lists with the default ones.
struct Effective {
  std::vector<crds::PluginStatus> plugins;  // in the order in which they first run
  // ClusterRoles without the prefix "berth:", or "system:" for a kube-scheduler; sorted, never
  // empty.
  std::vector<std::string> capabilities;
};

// Merges and expands the plugin lists as the scheduler does. An engine with its own image may have
// unknown plugins, so only the plugins that the profile names are listed. It gets the capabilities
// of the default plugins and no more, since a name proves nothing. For a kube-scheduler, too, only
// the named plugins are listed; its capabilities are Kubernetes' own. Errors (kConfig): the plugin
// lists contradict themselves.
Result<Effective> EffectiveOf(const crds::SchedulerProfile& profile,
                              const PluginCatalogue& catalogue);

// Returns warnings about valid but probably unintended plugin settings: arguments for plugins that
// do not run, dominating weights, disabled filters without which pods are placed on nodes that they
// cannot run on, and the warnings of the arguments themselves.
std::vector<api::FieldWarning> PluginWarnings(const crds::SchedulerProfile& profile,
                                              const Effective& effective,
                                              const PluginCatalogue& catalogue);

}  // namespace berth::controllers
