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

// Evidence is what the API server has held of a profile's scheduler up to the moment at which a
// status was written; the newest last. Earlier states count, since the operator may have seen
// nothing later.
struct Evidence {
  std::vector<std::shared_ptr<const api::Deployment>> deployments;
  std::vector<std::shared_ptr<const api::Lease>> leases;
};

// FalseClaim says what is untrue of a profile's status: what GitOps tools (kstatus.h) and those who wait
// for Ready believe of it is held against what runs.
std::optional<std::string> FalseClaim(const crds::SchedulerProfile& profile,
                                      const Evidence& evidence);

// JudgeStatus fails the test that runs when the status lies, or a GitOps tool takes it for something
// else than kstatus (gitops_health.h), and counts it; the count is printed when the program ends.
void JudgeStatus(const crds::SchedulerProfile& profile, const Evidence& evidence);

}  // namespace berth::controllers
