// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// NamesOf gives the scheduler names a profile answers for: its own, then its aliases, each once.
std::vector<std::string> NamesOf(const crds::SchedulerProfile& profile);

// TakenName is a name that an older profile has.
struct TakenName {
  std::string name;
  std::string holder;  // the older profile
};

// TakenNames gives those names of `profile` that an older profile claims too. The older is the one
// created first; of two created in one second the one whose name sorts first.
std::vector<TakenName> TakenNames(
    const crds::SchedulerProfile& profile,
    std::span<const std::shared_ptr<const crds::SchedulerProfile>> all);

// ShareName says that both claim some name.
bool ShareName(const crds::SchedulerProfile& a, const crds::SchedulerProfile& b);

}  // namespace berth::controllers
