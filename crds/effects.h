// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// FieldWithoutEffect is a field that is accepted and not acted on in this version. Once a version
// acts on it, its row goes.
struct FieldWithoutEffect {
  std::string_view path;
  bool (*is_set)(const SchedulerProfileSpec& spec);
  std::string_view message;  // what happens in its place
};

// FieldsWithoutEffect is the one list of them.
std::span<const FieldWithoutEffect> FieldsWithoutEffect();

// Warnings gives the lines of status.warnings that follow from the profile alone: fields without
// effect, and arguments for plugins that this version does not serve. Requires: the profile is
// valid.
std::vector<std::string> Warnings(const SchedulerProfileSpec& spec,
                                  const PluginCatalogueView& catalogue);

// Refusal is why a valid profile cannot be carried out by this version or this installation:
// condition Stalled.
struct Refusal {
  std::string_view reason;  // of the condition
  std::string message;
};

inline constexpr std::string_view kEngineNotSupported = "EngineNotSupported";
inline constexpr std::string_view kClusterRoleNotAllowed = "ClusterRoleNotAllowed";

// RefusalOf looks at what the installation decides. `allowed_cluster_roles` are those the operator
// may bind for spec.engine.clusterRoles.
std::optional<Refusal> RefusalOf(const SchedulerProfileSpec& spec,
                                 std::span<const std::string> allowed_cluster_roles);

}  // namespace berth::crds
