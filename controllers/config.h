// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Returns the scheduler name for a configuration that serves no name yet. The scheduler runs, ready
// to take over its name, and no pod is meant to use the placeholder.
std::string PlaceholderName(const crds::SchedulerProfile& profile);

// Returns scheduler-config.yaml: a KubeSchedulerConfiguration v1 as canonical YAML. It has one
// profile for each of `names`, equal except for the name, or one for PlaceholderName if `names` is
// empty. Its leader election names the Lease that the scheduler also reports on. Leader election is
// always on for a kube-scheduler: nothing else keeps two from binding while pods are replaced.
std::string RenderConfig(const crds::SchedulerProfile& profile, std::span<const std::string> names);

// A ConfigMap holds at most 1 MiB, and this text twice: the newest and the last good one.
inline constexpr size_t kMaxConfigBytes = size_t{500} << 10;

// Validates the configuration rendered for these names: its size and, for engine KubeScheduler,
// kube-scheduler's own validation. Berth's scheduler reports its validation errors itself.
std::vector<api::FieldError> CheckConfig(const crds::SchedulerProfile& profile,
                                         std::span<const std::string> names);

// Reports whether a new configuration reaches the scheduler with new pods. Each version then has an
// immutable ConfigMap, which the pod template names. So a pod of an older ReplicaSet never starts
// with a newer configuration.
bool IsVersioned(const crds::SchedulerProfile& profile);

// Returns the hash of a rendered configuration. For a Berth scheduler it equals the hash that the
// scheduler reports. For a kube-scheduler, which reports none, it includes the engine, since both
// engines may get the same text.
std::string ConfigHashOf(const crds::SchedulerProfile& profile, std::string_view config);

// Returns the version that new pods of this configuration start with: its hash, or "" if they
// follow a ConfigMap.
std::string WantedVersion(const crds::SchedulerProfile& profile, std::string_view config_hash);

// Returns the name of a version's ConfigMap, "berth-<profile>-<version>", or for an empty version
// the name of the ConfigMap that schedulers follow, "berth-<profile>".
std::string ConfigMapName(const crds::SchedulerProfile& profile, std::string_view version);

// Returns the hash of the settings that a scheduler following its ConfigMap reads only at start. It
// is an annotation of the pod template, so that a change replaces the pods.
std::string StartSettingsHashOf(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
