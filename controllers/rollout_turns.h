// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// RolloutTurns limits the number of schedulers that are replaced at once because the operator
// renders them differently: a new version of the operator affects all of them in the same second.
// Rollouts requested by profiles need no turn, but count towards the limit. Thread safe.
class RolloutTurns {
 public:
  explicit RolloutTurns(int limit) : limit_(static_cast<size_t>(limit)) {}

  // Gives the profile a turn, or keeps the one it has. Returns false if `limit` other schedulers
  // are being replaced. `profiles` are all profiles in the cluster: their status shows running
  // rollouts, including those started before this process.
  bool Take(const std::string& profile,
            const std::vector<std::shared_ptr<const crds::SchedulerProfile>>& profiles);

  // Returns the profile's turn, if it has one.
  void End(const std::string& profile);

 private:
  const size_t limit_;
  std::mutex mutex_;
  std::set<std::string> turns_;  // guarded by mutex_
};

}  // namespace berth::controllers
