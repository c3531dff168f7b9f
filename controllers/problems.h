// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "controllers/verdict.h"

namespace berth::controllers {

// What the problems met while writing mean for the profile's conditions.

// StallingProblem gives the first problem that an admin has to solve: an object of somebody else,
// a missing permission, a request the API server finds wrong.
std::optional<Explanation> StallingProblem(const crds::SchedulerProfile& profile,
                                           const std::vector<Problem>& problems);

// PassingProblem gives the first problem that another attempt may solve.
std::optional<Explanation> PassingProblem(const std::vector<Problem>& problems);

// IsPassing says that another attempt may solve it.
bool IsPassing(const Problem& problem);

}  // namespace berth::controllers
