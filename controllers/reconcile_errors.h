// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/verdict.h"

namespace berth::controllers {

// Maps the errors of an apply to the profile's conditions.

// Severity is the effect of an error on its profile.
enum class Severity {
  kStalls,     // an admin has to act
  kTransient,  // a retry may succeed
  kWaits,      // no failure: the next write is scheduled
  kWarns,      // the object cannot get closer to its desired state
};
Severity SeverityOf(const ReconcileError& failure);

// Returns the first error that an admin has to fix: an object of another owner, a missing
// permission, a request that the API server rejects as invalid.
std::optional<Explanation> FindStallingError(const crds::SchedulerProfile& profile,
                                             const std::string& operator_namespace,
                                             const std::vector<ReconcileError>& failures);

// Returns the first error that a retry, or time, may resolve.
std::optional<Explanation> FindTransientError(const std::vector<ReconcileError>& failures);

// Returns the errors that do not stop a profile but matter to its users: changes by admission,
// contested fields.
std::vector<Explanation> FindWarnings(const std::vector<ReconcileError>& failures);

}  // namespace berth::controllers
