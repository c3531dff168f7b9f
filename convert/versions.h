// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "convert/finding.h"

// The versions of KubeSchedulerConfiguration, and the fields and plugins of each. kube-scheduler
// rejects a field and an enabled plugin that its version does not have, and ignores a disabled one.
// So such a name has no meaning, even if another version gives it one, and is not converted.
//
// A version has a field or a plugin if one of its releases has it: v1alpha1 up to 1.18, v1alpha2 in
// 1.18, v1beta1 in 1.19 to 1.22, v1beta2 in 1.22 to 1.27, v1beta3 in 1.23 to 1.28, v1 since 1.25.
// Source: k8s.io/kube-scheduler config/*/types.go and types_pluginargs.go; kube-scheduler
// pkg/scheduler/framework/plugins/registry.go and
// pkg/scheduler/apis/config/validation/validation.go, at the last release of each version.
namespace berth::convert {

enum class ConfigVersion : uint8_t { kV1Alpha1, kV1Alpha2, kV1Beta1, kV1Beta2, kV1Beta3, kV1 };

inline constexpr std::string_view kConfigKind = "KubeSchedulerConfiguration";

// Parses "kubescheduler.config.k8s.io/v1beta1", and v1alpha1's first name
// "componentconfig/v1alpha1". Errors (kConfig) list the known versions.
Result<ConfigVersion> ConfigVersionOf(std::string_view api_version);

// Returns why the version has no such plugin, or "" if it has it. Returns "" for a plugin that no
// kube-scheduler has: it may be the user's own.
std::string WhyNoPlugin(ConfigVersion version, std::string_view plugin);

// Reports whether kube-scheduler had the plugin in some versions only.
bool IsFormerPlugin(std::string_view plugin);

// Returns why the version has no such argument of a plugin, or "".
std::string WhyNoArgument(ConfigVersion version, std::string_view plugin,
                          std::string_view argument);

// Returns the struct that has the field of a configuration, for a hint: "profiles[].plugins" for
// "score". Returns "" if there is none.
std::string_view HomeOf(ConfigVersion version, std::string_view field);

// KnownFields is a configuration without the fields that its version does not have.
struct KnownFields {
  std::string document;                // JSON
  std::vector<std::string> misplaced;  // errors: fields at a wrong level, with their paths
};

// Reports the unknown fields as dropped. A field that belongs to another level is an error instead:
// without it the scheduler behaves differently. Members of an unknown shape are kept; decoding
// rejects them.
KnownFields KnownFieldsOf(std::string_view document, ConfigVersion version,
                          const Reporter& reporter);

}  // namespace berth::convert
