// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// FieldWithoutEffect is a field that is accepted but has no effect in this version. Remove its row
// when a version implements it.
struct FieldWithoutEffect {
  std::string_view path;
  bool (*is_set)(const SchedulerProfileSpec& spec);
  std::string_view message;  // the actual behaviour
  // Reason of the rejection, if pods would run elsewhere, or a deletion would remove more, than the
  // profile states; empty for a warning.
  std::string_view rejected_as;
};

// Returns all such fields.
std::span<const FieldWithoutEffect> FieldsWithoutEffect();

// Returns the warnings that follow from the profile alone: fields without effect,
// sidecars without an extender. Requires: the profile is valid and not rejected.
std::vector<api::FieldWarning> Warnings(const SchedulerProfileSpec& spec);

// Returns all reasons why this version or installation does not apply a valid profile. Pure.
std::vector<Rejection> RejectionsOf(const SchedulerProfile& profile, const Allowances& allowances);

}  // namespace berth::crds
