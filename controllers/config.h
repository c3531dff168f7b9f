// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// PlaceholderName stands in the configuration of a scheduler that has to wait for its first name: it runs,
// ready to take the name over, and no pod is meant to name it.
std::string PlaceholderName(const crds::SchedulerProfile& profile);

// RenderConfig gives scheduler-config.yaml: a KubeSchedulerConfiguration v1 as canonical YAML, with
// one profile for each of `names`, alike but for the name; without any, for PlaceholderName. Its leader
// election names the Lease that the scheduler reports on too. That of a kube-scheduler is always
// on: nothing else keeps two from binding while pods are replaced.
std::string RenderConfig(const crds::SchedulerProfile& profile, std::span<const std::string> names);

// A ConfigMap holds at most 1 MiB, and this text twice: the newest and the last good one.
inline constexpr size_t kMaxConfigBytes = size_t{500} << 10;

// CheckConfig gives what is wrong with the configuration rendered for these names: that it is too
// large, and what kube-scheduler's own validation finds, which Berth's scheduler reports itself.
std::vector<api::FieldError> CheckConfig(const crds::SchedulerProfile& profile,
                                         std::span<const std::string> names);

// IsVersioned says that a new configuration reaches the scheduler with new pods. Each version then
// has an immutable ConfigMap, which the pod template names: no pod of an older ReplicaSet ever
// starts with a newer text.
bool IsVersioned(const crds::SchedulerProfile& profile);

// ConfigHashOf names a rendered configuration: as a Berth scheduler does that reports it, and for a
// kube-scheduler, which reports nothing, together with the engine, since both may get the same
// text.
std::string ConfigHashOf(const crds::SchedulerProfile& profile, std::string_view config);

// WantedVersion is what pods start with that are made for this configuration: its hash, or "" where
// they follow a ConfigMap.
std::string WantedVersion(const crds::SchedulerProfile& profile, std::string_view config_hash);

// ConfigMapName is that of a version, "berth-<profile>-<version>"; of none, that of the ConfigMap
// which schedulers follow, "berth-<profile>".
std::string ConfigMapName(const crds::SchedulerProfile& profile, std::string_view version);

// StartSettingsHashOf names the settings that a scheduler which follows does not take over. It
// stands on the pod template, so that a change of one replaces the pods.
std::string StartSettingsHashOf(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
