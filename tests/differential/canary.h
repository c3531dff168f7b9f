// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tests/differential/api.h"

namespace berth::differential {

// Returns the profile that places the canaries' pods.
Json CanaryProfile();

// Canary detects the progress of a scheduler. It creates a pod with the lowest priority that fits
// nowhere, and deletes it once the pod was rejected and has its Event. A scheduler tries one pod at
// a time, in order of waiting. So it has then tried all ready pods and written the results. The
// number of nodes in the message is the number that the scheduler knows.
class Canary {
 public:
  // Requires: `api` outlives this.
  explicit Canary(const Api& api) : api_(api) {}

  // Creates the objects that canaries need. Call it once.
  Result<void> Prepare() const;

  // Runs a canary; returns the number of nodes that the scheduler knows.
  Result<int> Fly();

  // Runs canaries until the scheduler knows this many nodes.
  Result<void> AwaitNodes(int nodes);

  // Reports whether a namespace belongs to the canaries.
  static bool Owns(const std::string& ns);

 private:
  Result<std::optional<int>> Look(const ObjectName& pod) const;

  const Api& api_;
  int flown_ = 0;
};

}  // namespace berth::differential
