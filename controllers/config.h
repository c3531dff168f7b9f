// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// NameOfNone stands in the configuration of a scheduler that has to wait for its first name: it runs,
// ready to take the name over, and no pod is meant to name it.
std::string NameOfNone(const crds::SchedulerProfile& profile);

// RenderConfig gives scheduler-config.yaml: a KubeSchedulerConfiguration v1 as canonical YAML, with
// one profile for each of `names`, alike but for the name; without any, for NameOfNone. Its leader election names the Lease that
// the scheduler reports on too.
std::string RenderConfig(const crds::SchedulerProfile& profile, std::span<const std::string> names);

// A ConfigMap holds at most 1 MiB, and this text twice: the newest and the last good one.
inline constexpr size_t kMaxConfigBytes = size_t{500} << 10;

// CheckConfigSize says that a configuration is too large, if it is.
std::optional<api::FieldError> CheckConfigSize(std::string_view config);

// StartSettingsHashOf names the settings in it that a running scheduler does not take over. It stands
// on the pod template, so that a change of one replaces the pods.
std::string StartSettingsHashOf(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
