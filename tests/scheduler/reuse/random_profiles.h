// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scheduler/framework/profile.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {

// Profiles run side by side and share what is kept, as those of one scheduler do.
using Profiles = std::vector<std::shared_ptr<const Profile>>;

// RandomProfiles makes two profiles of plugins in `registry`: most of them, in any order, with
// weights and arguments from a list, looking at all nodes or at a part; now and then the default
// profile. They share the extenders.
Profiles RandomProfiles(Random& random, const Registry& registry, const PluginHandle& handle,
                        const std::shared_ptr<const Extenders>& extenders = nullptr);

}  // namespace berth::scheduler::testing
