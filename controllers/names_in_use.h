// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "controllers/observed.h"
#include "controllers/plan.h"

// Which names a profile's scheduler may serve, as far as the profile's own objects tell.
namespace berth::controllers {

// HeldNames gives the names that the profile's scheduler may serve now: none when it has no pods and
// is not heard of.
std::vector<std::string> HeldNames(const crds::SchedulerProfile& profile, const Observed& observed);

// KeptNames gives those of them that the last plan left it. A name that was given up is not taken
// back on the way: the scheduler may have reported already that it does without, and a report does
// not say which of two equal texts it is about.
std::vector<std::string> KeptNames(const crds::SchedulerProfile& profile, const Observed& observed);

// NamesAfter gives those that it may serve once the plan is carried out: what it held, too, until it
// has reported that it runs the plan's configuration.
std::vector<std::string> NamesAfter(const Plan& plan, const Observed& observed);

// NamesGivenUp gives those of plan.names_in_use that the plan's configuration, or the last one that
// was carried out, does without.
std::vector<std::string> NamesGivenUp(const Plan& plan, const Observed& observed);

}  // namespace berth::controllers
