// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// RenderConfig gives scheduler-config.yaml: a KubeSchedulerConfiguration v1 as canonical YAML, with
// one profile for each of `names`, alike but for the name. Its leader election names the Lease that
// the scheduler reports on too.
std::string RenderConfig(const crds::SchedulerProfile& profile, std::span<const std::string> names);

}  // namespace berth::controllers
