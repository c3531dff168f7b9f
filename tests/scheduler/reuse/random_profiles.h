// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scheduler/framework/profile.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {

// Profiles of one scheduler, which share the result cache.
using Profiles = std::vector<std::shared_ptr<const Profile>>;

// Creates two profiles of plugins in `registry`: most of them, in random order, with weights and
// arguments from a list, for all nodes or a percentage. Sometimes creates the default profile. Both
// share the extenders.
Profiles RandomProfiles(Random& random, const Registry& registry, const PluginHandle& handle,
                        const std::shared_ptr<const Extenders>& extenders = nullptr);

}  // namespace berth::scheduler::testing
