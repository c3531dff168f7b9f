// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/verdict.h"

namespace berth::controllers {

// What the problems met while writing mean for the profile's conditions.

// Severity is what a problem does to its profile.
enum class Severity {
  kStalls,     // an admin has to act
  kTransient,  // another attempt may succeed
  kWaits,      // nothing failed: the next write has its time
  kWarns,      // the object is as near to what is wanted as it gets
};
Severity SeverityOf(const ReconcileError& failure);

// FindStallingError gives the first problem that an admin has to solve: an object of somebody else,
// a missing permission, a request the API server finds wrong.
std::optional<Explanation> FindStallingError(const crds::SchedulerProfile& profile,
                                             const std::string& operator_namespace,
                                             const std::vector<ReconcileError>& failures);

// FindTransientError gives the first problem that another attempt, or time, may solve.
std::optional<Explanation> FindTransientError(const std::vector<ReconcileError>& failures);

// FindWarnings gives those that the profile's users should know of and that stop nothing: what
// admission changes, what others contest.
std::vector<Explanation> FindWarnings(const std::vector<ReconcileError>& failures);

}  // namespace berth::controllers
