// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"

namespace berth::api {

// StartSetting is a setting that a scheduler reads when it starts and never again: leadership is not
// handed from one way of holding it to another while pods are being bound. The scheduler says which
// of them wait for a restart, the operator replaces its pods when one of them changes.
struct StartSetting {
  std::string_view path;  // "leaderElection.leaseDuration"
  std::string (*show)(const KubeSchedulerConfiguration& config);
  void (*copy)(const KubeSchedulerConfiguration& from, KubeSchedulerConfiguration& to);
};

// StartSettings lists them all.
std::span<const StartSetting> StartSettings();

// StartSettingsHash names their values; 16 hexadecimal digits.
std::string StartSettingsHash(const KubeSchedulerConfiguration& config);

}  // namespace berth::api
