// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scheduler/framework/profile.h"

namespace berth::scenario {

// Builds the profiles of a KubeSchedulerConfiguration with the plugins that Berth ships; the
// default profile if `written` is empty. Errors are those of the configuration.
Result<scheduler::ProfileMap> BuildProfiles(std::vector<api::KubeSchedulerProfile> written,
                                            const scheduler::PluginHandle& handle);

}  // namespace berth::scenario
