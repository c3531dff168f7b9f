// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "scheduler/framework/interface.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {

// IncompleteGang is the action on the placed members of a gang that stays incomplete.
enum class IncompleteGang : uint8_t {
  // Evict them, unless the gang has run (Gang::has_run) or a member has no controller.
  kReleaseUnlessRun,
  kRelease,  // evict them
  kKeep,     // keep them on their nodes
};

// GangPolicy configures how the scheduler keeps the members of a gang together.
struct GangPolicy {
  // The wait after a failed attempt, in addition to the backoff of the pods.
  std::chrono::seconds backoff{0};
  IncompleteGang incomplete = IncompleteGang::kReleaseUnlessRun;
  // The time until an incomplete gang is acted on. The timeout of the PodGroup overrides it.
  std::chrono::seconds patience{60};
};

// GangAttempts is the state of this scheduler's attempts to place a gang.
struct GangAttempts {
  std::optional<SteadyTime> failed;  // the last failure; absent after a success
  bool is_binding = false;           // some members are in their binding cycles
};

// GangPlugin is the extension point of gangs: it decides whether a gang may be scheduled now. A
// configuration enables it at Permit, the point at which scheduler-plugins lets members wait for
// each other. In a profile with a GangPlugin the scheduler places the members of a gang in one
// cycle, all or none (gangs/gang_cycle.h), so no member waits at Permit.
class GangPlugin : public virtual Plugin {
 public:
  // Returns Success, or UnschedulableAndUnresolvable with the reason, because preemption does not
  // help; any other code is an error. It is called before the search for a node, with the member
  // that came first in the queue. Results of `snapshot` are valid during the call.
  virtual Status CheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                           const Snapshot& snapshot) const = 0;
  virtual const GangPolicy& gang_policy() const = 0;
};

}  // namespace berth::scheduler
