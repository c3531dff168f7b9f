// SPDX-License-Identifier: Apache-2.0
#include "crds/effects.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/outbound_address.h"

namespace berth::crds {

namespace {

bool Assigns(const SchedulerProfileSpec& spec) { return spec.assign.has_value(); }

bool ElectsAgainstItsWill(const SchedulerProfileSpec& spec) {
  return spec.engine.IsKubeScheduler() && !spec.leader_election.leader_elect;
}

bool WaitsForPending(const SchedulerProfileSpec& spec) {
  return spec.deletion_policy == "WaitForPending";
}

bool IsAsked(const Sidecar& sidecar, const std::vector<Extender>& extenders) {
  const api::SidecarPorts ports = SidecarPortsOf({&sidecar, 1});
  return std::ranges::any_of(extenders, [&ports](const Extender& extender) {
    const auto address = api::ReadOutboundAddress(extender.url_prefix);
    return address && api::IsSidecar(*address, ports);
  });
}

}  // namespace

std::span<const FieldWithoutEffect> FieldsWithoutEffect() {
  static constexpr FieldWithoutEffect kFields[] = {
      {"spec.assign", Assigns, "not supported by this version: pods must set spec.schedulerName",
       "AssignNotSupported"},
      {"spec.leaderElection.leaderElect", ElectsAgainstItsWill,
       "false has no effect with engine KubeScheduler: without a Lease two pods would schedule "
       "while pods are replaced",
       ""},
      {"spec.deletionPolicy", WaitsForPending,
       "WaitForPending is not supported by this version: deletion would not wait for pending pods",
       "DeletionPolicyNotSupported"},
  };
  return kFields;
}

std::vector<api::FieldWarning> Warnings(const SchedulerProfileSpec& spec) {
  std::vector<api::FieldWarning> warnings;
  for (const FieldWithoutEffect& field : FieldsWithoutEffect()) {
    if (field.rejected_as.empty() && field.is_set(spec)) {
      warnings.push_back({std::string(field.path), std::string(field.message)});
    }
  }
  for (const Sidecar& sidecar : spec.deployment.sidecars) {
    if (IsAsked(sidecar, spec.extenders)) continue;
    warnings.push_back(
        {SidecarPath(sidecar),
         fmt::format("no extender uses it: none has urlPrefix http://localhost:{}", sidecar.port)});
  }
  return warnings;
}

std::vector<Rejection> RejectionsOf(const SchedulerProfile& profile, const Allowances& allowances) {
  std::vector<Rejection> rejections = BeyondAllowances(profile, allowances);
  for (const FieldWithoutEffect& field : FieldsWithoutEffect()) {
    if (field.rejected_as.empty() || !field.is_set(profile.spec)) continue;
    rejections.push_back(Reject(field.rejected_as, field.path, "", field.message));
  }
  return rejections;
}

}  // namespace berth::crds
