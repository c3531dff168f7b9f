// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tests/differential/api.h"

namespace berth::differential {

// CanaryProfile is the profile that places the canaries' pods.
Json CanaryProfile();

// Canary says how far a scheduler has come. A pod with the lowest priority, which fits nowhere, is
// created and gone as soon as it was refused and the Event about it is there. A scheduler looks at
// one pod at a time and takes those first that were waiting, so by then it has tried all that were
// ready, and written what came of it; and the number of nodes in the message is what it knows of.
class Canary {
 public:
  // Requires: `api` outlives this.
  explicit Canary(const Api& api) : api_(api) {}

  // Prepare makes what the canaries need. Call it once.
  Result<void> Prepare() const;

  // Fly gives the number of nodes that the scheduler knew of.
  Result<int> Fly();

  // AwaitNodes flies until the scheduler knows of so many nodes.
  Result<void> AwaitNodes(int nodes);

  // Is says whether a namespace is that of the canaries.
  static bool Owns(const std::string& ns);

 private:
  Result<std::optional<int>> Look(const ObjectName& pod) const;

  const Api& api_;
  int flown_ = 0;
};

}  // namespace berth::differential
