// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// ExpectGitOpsToolsAgree runs the health check for Argo CD and the expressions for Flux, as they
// stand in deploy/gitops/, on a profile, and fails the test where one of them says something else
// than kstatus.
void ExpectGitOpsToolsAgree(const crds::SchedulerProfile& profile);

}  // namespace berth::controllers
