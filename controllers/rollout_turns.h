// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "crds/scheduler_profile.h"

namespace berth::controllers {

// RolloutTurns limits how many schedulers are replaced at once because the operator renders them
// otherwise than before, which a new version of it does to all of them in the same second. Rollouts
// that profiles ask for need no turn, but count. Thread safe.
class RolloutTurns {
 public:
  explicit RolloutTurns(int limit) : limit_(static_cast<size_t>(limit)) {}

  // Take gives the profile a turn, or lets it keep the one it has; false: `limit` others are being
  // replaced. `profiles` are all there are: their status tells of rollouts under way, also of those
  // that began before this process did.
  bool Take(const std::string& profile,
            const std::vector<std::shared_ptr<const crds::SchedulerProfile>>& profiles);

  // End gives the turn back, if the profile has one.
  void End(const std::string& profile);

 private:
  const size_t limit_;
  std::mutex mutex_;
  std::set<std::string> turns_;  // guarded by mutex_
};

}  // namespace berth::controllers
