// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/apps.h"
#include "api/coordination.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Evidence is the history of a scheduler's objects in the API server until a status was written;
// the newest last. Earlier states count, since the operator may not have observed later ones.
struct Evidence {
  std::vector<std::shared_ptr<const api::Deployment>> deployments;
  std::vector<std::shared_ptr<const api::Lease>> leases;
};

// Returns the contradiction between a profile's status and its objects, as read by GitOps tools
// (kstatus.h) or by a client that waits for Ready; nullopt if there is none.
std::optional<std::string> FalseClaim(const crds::SchedulerProfile& profile,
                                      const Evidence& evidence);

// Fails the running test if the status contradicts the objects, or if a GitOps tool reads it
// differently from kstatus (gitops_health.h). Counts the status; the counts are printed when the
// program exits.
void JudgeStatus(const crds::SchedulerProfile& profile, const Evidence& evidence);

}  // namespace berth::controllers
