// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

// RecordGangEvent records an event about a gang's PodGroup, if there is one.
void RecordGangEvent(ApiPort& api, const Gang& gang, std::string_view reason,
                     const std::string& note);

// GangWatch looks after gangs that were split: some members hold room, and others that the gang
// cannot do without have none. A binding that the API server refused for good, a member that the
// kubelet turned away, a node that was lost can do that. What is missing is tried like any pod; when
// that has not helped for as long as the gang's timeout, the PodGroup says so, and what the profile
// asks for (GangPolicy::incomplete) is done: all its pods are evicted, so that their owner makes them
// again and others have the room; or they are kept. Owned by the scheduling thread.
class GangWatch {
 public:
  // What it works with; all outlive it.
  struct Parts {
    const Clock& clock;
    ApiPort& api;
    Cache& cache;
  };
  explicit GangWatch(const Parts& parts) : parts_(parts) {}

  // Look does what is due by now. Gangs that none of the profiles keeps together are let alone.
  void Look(const ProfileMap& profiles);
  // NextLook is when Look will have something to do, unless a gang is split or made whole before.
  std::optional<SteadyTime> NextLook() const;

 private:
  struct Row {
    SteadyTime since;  // when it was split, or seen to last
    SteadyTime due;
    std::string told;
  };

  void Act(const Gang& gang, const GangPolicy& policy, Row& row);
  void Evict(const Gang& gang, const PodInfo& pod, const std::string& why);

  const Parts parts_;
  std::map<std::string, Row> rows_;  // by the gang's key
};

}  // namespace berth::scheduler
