// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// FieldWithoutEffect is a field that is accepted and not acted on in this version. Once a version
// acts on it, its row goes.
struct FieldWithoutEffect {
  std::string_view path;
  bool (*is_set)(const SchedulerProfileSpec& spec);
  std::string_view message;  // what happens in its place
  // The reason for which the profile is not carried out, where pods would go elsewhere, or a
  // deletion would take more, than the profile says; empty where a warning is enough.
  std::string_view rejected_as;
};

// FieldsWithoutEffect is the one list of them.
std::span<const FieldWithoutEffect> FieldsWithoutEffect();

// Warnings gives the lines of status.warnings that follow from the profile alone: fields without
// effect, sidecars that no extender is at. Requires: the profile is valid and not refused.
std::vector<std::string> Warnings(const SchedulerProfileSpec& spec);

// RejectionsOf gives every reason why this version or this installation does not carry a valid
// profile out. Pure.
std::vector<Rejection> RejectionsOf(const SchedulerProfile& profile, const Allowances& allowances);

}  // namespace berth::crds
