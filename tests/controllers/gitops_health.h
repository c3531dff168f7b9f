// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Runs the health check for Argo CD and the expressions for Flux, both from deploy/gitops/, on a
// profile. Fails the test if a result differs from kstatus.
void ExpectGitOpsToolsAgree(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
