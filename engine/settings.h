// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/scheduler_config.h"

// What becomes of the settings of a configuration that a running scheduler does not simply take
// over. All others it does.
namespace berth::engine {

// NeedsRestart gives those of api::StartSettings() in which `wanted` differs from what the process
// started with, with both values.
std::vector<std::string> NeedsRestart(const api::KubeSchedulerConfiguration& started,
                                      const api::KubeSchedulerConfiguration& wanted);

// KeepFromStart sets these settings to what the process runs with.
void KeepFromStart(api::KubeSchedulerConfiguration& config,
                   const api::KubeSchedulerConfiguration& started);

// WithoutEffect gives the settings that say something else than their defaults and that no version
// of this scheduler acts on, with the reason.
std::vector<std::string> WithoutEffect(const api::KubeSchedulerConfiguration& config);

}  // namespace berth::engine
