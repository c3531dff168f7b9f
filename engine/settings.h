// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/scheduler_config.h"

// Handles the settings that a running scheduler does not apply. All others are applied.
namespace berth::engine {

// Returns the settings in api::StartSettings() whose value in `wanted` differs from the process's
// start, with both values.
std::vector<std::string> NeedsRestart(const api::KubeSchedulerConfiguration& started,
                                      const api::KubeSchedulerConfiguration& wanted);

// Sets these settings to the values that the process runs with.
void KeepFromStart(api::KubeSchedulerConfiguration& config,
                   const api::KubeSchedulerConfiguration& started);

// Returns the settings with another value than the default that this scheduler does not support,
// with the reason.
std::vector<std::string> WithoutEffect(const api::KubeSchedulerConfiguration& config);

}  // namespace berth::engine
