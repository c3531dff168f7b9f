// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"

namespace berth::api {

// StartSetting is a setting that a scheduler reads only at startup, because leader election cannot
// be reconfigured while pods are being bound. The scheduler reports the changed ones that need a
// restart. The operator replaces its pods if one of them changes.
struct StartSetting {
  std::string_view path;  // "leaderElection.leaseDuration"
  std::string (*show)(const KubeSchedulerConfiguration& config);
  void (*copy)(const KubeSchedulerConfiguration& from, KubeSchedulerConfiguration& to);
};

// Returns all start settings.
std::span<const StartSetting> StartSettings();

// Returns the hash of their values; 16 hexadecimal digits.
std::string StartSettingsHash(const KubeSchedulerConfiguration& config);

}  // namespace berth::api
